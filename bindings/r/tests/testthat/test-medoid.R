data <- round(clusters(150, 530, centers = 3, seed = 6))

medoid_by_brute_force <- function(data, distance) {
  sums <- apply(data, 1, function(a) sum(apply(data, 1, function(b) distance(a - b))))
  list(index = which.min(sums), mean = min(sums) / (nrow(data) - 1))
}
metrics <- list(l1 = function(x) sum(abs(x)), sqeuclidean = function(x) sum(x^2), l2 = function(x) sqrt(sum(x^2)))

test_that("the medoid is that of all sums of distances", {
  sparse <- Matrix::Matrix(data, sparse = TRUE)
  for (metric in names(metrics)) {
    expected <- medoid_by_brute_force(data, metrics[[metric]])
    for (points in list(data, sparse, bmo_dataset(data), bmo_prepare(data, box = "dense", seed = 3))) {
      for (method in c("auto", "exact")) {
        found <- bmo_medoid(points, metric = metric, method = method, delta = 1e-9, threads = 2)
        expect_equal(found$index, expected$index)
        expect_equal(found$mean_distance, expected$mean, tolerance = 1e-12)
        expect_identical(found$stats$metric, metric)
      }
    }
    expect_equal(bmo_medoid(t(data), metric = metric, byrow = FALSE, delta = 1e-9)$index, expected$index)
  }
  expect_identical(found$stats$guarantee, "exact")
})

test_that("weights, functions, names and seeds are those of a search", {
  weights <- rep(1:5, 106)
  expected <- medoid_by_brute_force(data, function(x) sum(weights * abs(x)))
  expect_equal(bmo_medoid(data, metric = "l1", weights = weights, delta = 1e-9)$index, expected$index)
  expect_equal(bmo_medoid(data[1:40, ], metric = function(a, b, j) abs(a - b))$index, medoid_by_brute_force(data[1:40, ], metrics$l1)$index)
  named <- data
  rownames(named) <- sprintf("cell%d", seq_len(nrow(data)))
  expect_named(bmo_medoid(data, seed = 4), c("index", "mean_distance", "stats"))
  found <- bmo_medoid(named, seed = 4)
  expect_identical(found$name, rownames(named)[found$index])
  expect_identical(bmo_medoid(named, seed = 4, threads = 2)[1:3], found[1:3])
  expect_output(print(found), "<bmo_medoid> point [0-9]+ \\(cell[0-9]+\\) of 150, mean distance")
  twice <- rbind(data, data)
  expect_lte(bmo_medoid(twice, metric = "l1", delta = 1e-9)$index, 150)
  expect_identical(bmo_medoid(data[1, , drop = FALSE])[c("index", "mean_distance")], list(index = 1, mean_distance = 0))
})

test_that("what has no medoid is refused", {
  expect_refused <- function(call, message) expect_error(call, message, class = "bmo_error")
  expect_refused(bmo_medoid(data[0, ]), "no points")
  expect_refused(bmo_medoid(data, box = "rotated"), "^box is rotated, which needs a prepared dataset: call bmo_prepare\\(\\) with")
  expect_refused(bmo_medoid(data, method = "uniform"), "method is uniform")
  expect_refused(bmo_medoid(data, metric = "inner_product", method = "bandit"), "method is bandit")
  expect_refused(bmo_medoid(data, delta = 0), "delta is 0; expected a number")
})
