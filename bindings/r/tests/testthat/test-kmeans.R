data <- round(clusters(180, 60, centers = 7, seed = 4))
start <- data[c(1, 5, 9, 14, 20, 27), ]

test_that("clusters are those of stats::kmeans from the same start", {
  expected <- stats::kmeans(data, start, iter.max = 100, algorithm = "Lloyd")
  expect_gt(expected$iter, 2)
  sparse <- Matrix::Matrix(data, sparse = TRUE)
  for (points in list(data, bmo_dataset(data), bmo_prepare(data, seed = 2), sparse, methods::as(sparse, "RsparseMatrix"))) {
    found <- bmo_kmeans(points, start, threads = 2)
    expect_identical(unname(found$cluster), unname(expected$cluster))
    expect_equal(found$centers, unname(expected$centers), tolerance = 1e-12)
    expect_equal(found$tot.withinss, expected$tot.withinss, tolerance = 1e-12)
    expect_identical(found$size, expected$size)
    expect_equal(found[c("totss", "withinss", "betweenss")], expected[c("totss", "withinss", "betweenss")], tolerance = 1e-12)
    expect_identical(found$stats$guarantee, "exact")
  }
  turned <- bmo_kmeans(t(data), t(start), byrow = FALSE)
  expect_equal(turned$centers, t(unname(expected$centers)), tolerance = 1e-12)
  expect_identical(unname(turned$cluster), unname(expected$cluster))
})

test_that("clusters from starts of its own are settled, and seeds repeat them", {
  for (init in c("plusplus", "random")) {
    set.seed(3)
    found <- bmo_kmeans(data, 7, init = init, nstart = 2)
    set.seed(3)
    expect_identical(bmo_kmeans(data, 7, init = init, nstart = 2)$cluster, found$cluster)
    apart <- apply(found$centers, 1, function(center) colSums((t(data) - center)^2))
    expect_identical(unname(found$cluster), apply(apart, 1, which.min))
    expect_equal(found$tot.withinss, sum(apply(apart, 1, min)), tolerance = 1e-12)
    expect_equal(found$centers, unname(as.matrix(aggregate(data, list(found$cluster), mean)[, -1])), tolerance = 1e-12)
  }
  named <- data
  rownames(named) <- sprintf("cell%d", seq_len(nrow(data)))
  colnames(named) <- sprintf("gene%d", seq_len(ncol(data)))
  expect_identical(names(bmo_kmeans(named, start)$cluster), rownames(named))
  expect_identical(colnames(bmo_kmeans(named, start)$centers), colnames(named))
  expect_identical(bmo_kmeans(named, as.data.frame(start))$cluster, bmo_kmeans(named, start)$cluster)
  expect_identical(bmo_kmeans(data, start, iter.max = 1)$iter, 1)
  expect_output(print(bmo_kmeans(data, start)), "<bmo_kmeans> 180 points around 6 centers")
})

test_that("sums of squares are those of the clusters, settled or not", {
  for (far in c(0, 1e6)) {
    points <- data + far
    found <- bmo_kmeans(points, 5, seed = 2, iter.max = 1)
    apart <- points - found$centers[found$cluster, ]
    expect_equal(found$withinss, as.vector(rowsum(rowSums(apart^2), found$cluster)), tolerance = 1e-10)
    expect_equal(found$totss, sum(scale(points, scale = FALSE)^2), tolerance = 1e-10)
    expect_equal(found$betweenss, found$totss - sum(found$withinss), tolerance = 1e-10)
  }
})

test_that("fitted() and predict() take points to their centers", {
  found <- bmo_kmeans(data, start)
  expect_identical(fitted(found), found$centers[found$cluster, ])
  expect_identical(fitted(found, "classes"), found$cluster)
  expect_identical(predict(found, data), unname(found$cluster))
  new <- clusters(9, 60, seed = 8)
  apart <- apply(found$centers, 1, function(center) colSums((t(new) - center)^2))
  rownames(new) <- letters[1:9]
  expect_identical(predict(found, new), setNames(apply(apart, 1, which.min), letters[1:9]))
  turned <- bmo_kmeans(t(data), t(start), byrow = FALSE)
  expect_equal(fitted(turned), t(fitted(found)))
  expect_identical(predict(turned, t(new)), predict(found, new))
  expect_identical(predict(turned, new, byrow = TRUE), predict(found, new))
  expect_error(predict(found, new[, -1]), "60", class = "bmo_error")
})

test_that("what cannot be is refused", {
  expect_refused <- function(call, message) expect_error(call, message, class = "bmo_error")
  expect_refused(bmo_kmeans(data, 0), "centers is 0; expected a whole number from 1 on")
  expect_refused(bmo_kmeans(data, 181), "^centers is 181; expected 1 to 180, the points of the dataset")
  expect_refused(bmo_kmeans(data, start[, -1]), "the centers have 59 coordinates; expected 60")
  expect_refused(bmo_kmeans(data, matrix("a", 2, 60)), "centers is a matrix of type character")
  expect_refused(bmo_kmeans(data, replace(start, cbind(3, 2), NaN)), "^centers has NaN at row 3, column 2; expected finite")
  expect_refused(bmo_kmeans(t(data), t(replace(start, cbind(3, 2), NaN)), byrow = FALSE), "^centers has NaN at row 2, column 3")
  expect_refused(bmo_kmeans(data, start, nstart = 5), "^nstart is 5; expected 1 where centers is a matrix$")
  expect_refused(bmo_kmeans(data[0, ], 1), "no points")
  expect_refused(bmo_kmeans(bmo_prepare(data, weights = rep(1:2, 30)), 2), "data was prepared with weights, which k-means does not")
  file <- tempfile(fileext = ".bmo")
  on.exit(unlink(file))
  bmo_save(bmo_prepare(data, weights = rep(1:2, 30)), file)
  expect_refused(bmo_kmeans(bmo_load(file), 2), "data was prepared with weights, which k-means does not")
  expect_identical(length(bmo_kmeans(bmo_prepare(bmo_load(file)), 2)$size), 2L)
  at_fault <- function(call) tryCatch(call, bmo_error = function(error) error$argument)
  expect_identical(at_fault(bmo_kmeans(data, start, nstart = 5)), "nstart")
  expect_identical(at_fault(bmo_kmeans(data, start, metric = "l1")), "metric")
  expect_identical(at_fault(bmo_kmeans(data, replace(start, 3, NaN))), "centers")
  expect_identical(at_fault(bmo_kmeans(data[0, ], 1)), "data")
  expect_refused(bmo_kmeans(data, 3, iter.max = 0), "iter.max is 0")
  expect_refused(bmo_kmeans(data, 3, seed = NA), "seed is NA; expected a single number or text")
  expect_refused(bmo_kmeans(data, 3, seed = "x"), "seed is \"x\"; expected an integer")
  expect_refused(bmo_kmeans(data, 3, nstart = 2^31), "nstart is 2147483648; expected at most 2147483647")
  expect_refused(bmo_kmeans(data, 3, tol = -1), "tol is -1; expected a number from 0 on")
  expect_refused(bmo_kmeans(data, 3, metric = "l1"), "metric")
  expect_refused(bmo_kmeans(data, 3, metric = function(a, b, j) abs(a - b)), "^metric is a function; expected l2 or sqeuclidean")
  expect_refused(bmo_kmeans(data, 3, metric = "custom"), "^metric is \"custom\"; expected in its place a function")
})
