# All within a distance of each query, by computing every distance.
within_distance <- function(data, query = NULL, max_distance, distance = l2) {
  all <- brute_force(data, query, nrow(data) - is.null(query), distance)
  max_distance <- rep_len(max_distance, nrow(all$distance))
  near <- lapply(seq_len(nrow(all$distance)), function(i) all$distance[i, ] <= max_distance[i])
  list(
    index = lapply(seq_along(near), function(i) all$index[i, near[[i]]]),
    distance = lapply(seq_along(near), function(i) all$distance[i, near[[i]]])
  )
}

# Between the r-th distance and the next: no rounding decides who is within.
between <- function(data, query = NULL, rank, distance = l2) {
  all <- brute_force(data, query, rank + 1, distance)$distance
  (all[, rank] + all[, rank + 1]) / 2
}

same_neighbors <- function(found, expected) {
  expect_identical(lengths(found$index), lengths(expected$index))
  expect_identical(lapply(found$index, sort), lapply(expected$index, sort))
  expect_equal(found$distance, expected$distance, tolerance = 1e-12)
}

data <- clusters(90, 700)
query <- clusters(7, 700, seed = 2)
counts <- Matrix::rsparsematrix(80, 300, 0.1, rand.x = function(n) sample(9, n, TRUE) + 0)

test_that("all within a distance, of queries and of the points themselves", {
  for (metric in c("l1", "l2")) {
    for (method in c("bandit", "exact")) {
      radius <- between(data, query, 4, get(metric))
      same_neighbors(
        bmo_radius(data, query, radius, metric = metric, method = method),
        within_distance(data, query, radius, get(metric))
      )
      one <- median(between(data, rank = 6, distance = get(metric)))
      expected <- within_distance(data, max_distance = one, distance = get(metric))
      own <- bmo_radius(data, max_distance = one, metric = metric, method = method)
      same_neighbors(own, expected)
      some <- bmo_radius(t(data), max_distance = one, metric = metric, method = method, subset = c(9, 2, 9), byrow = FALSE)
      same_neighbors(some, lapply(expected, `[`, c(9, 2, 9)))
    }
  }
  expect_type(own$index[[1]], "integer")
  expect_identical(own$stats$neighbors, as.double(sum(lengths(own$index))))
})

test_that("sparse and prepared points, a metric of one's own, and whole numbers at the distance itself", {
  dense <- as.matrix(counts)
  radius <- median(brute_force(dense, k = 5, distance = l1)$distance[, 5])
  expected <- within_distance(dense, max_distance = radius, distance = l1)
  for (points in list(counts, bmo_dataset(counts), dense, bmo_prepare(dense))) {
    same_neighbors(bmo_radius(points, max_distance = radius, metric = "l1"), expected)
  }
  own <- bmo_radius(dense, max_distance = radius, metric = function(a, b, j) abs(a - b))
  same_neighbors(own, expected)
})

test_that("none, all, and no query at all", {
  none <- bmo_radius(data, query, 0)
  expect_identical(none$index, rep(list(integer()), 7))
  expect_identical(none$distance, rep(list(numeric()), 7))
  expect_output(print(none), "<bmo_radius> 0 neighbors of 7 among 90 points, l2", fixed = TRUE)
  all <- bmo_radius(data, query, Inf)
  expect_identical(lapply(all$index, sort), rep(list(1:90), 7))
  expect_output(print(all), "\\[1\\] .* and 85 more")
  for (radius in list(1, numeric())) {
    expect_identical(bmo_radius(data, data[0, ], radius)$index, list())
    expect_identical(dim(bmo_knn(data, data[0, ], k = 2, max_distance = radius)$index), c(0L, 2L))
  }
})

test_that("max_distance leaves out neighbors that are farther", {
  expected <- brute_force(data, query, k = 5, distance = l2)
  radius <- between(data, query, 3)
  radius[1:2] <- c(0, Inf)
  found <- bmo_knn(data, query, k = 5, max_distance = radius)
  near <- expected$distance <= radius
  expect_identical(is.na(found$index), !near)
  expect_identical(found$index[near], expected$index[near])
  expect_equal(found$distance[near], expected$distance[near], tolerance = 1e-12)
  expect_identical(unique(found$distance[!near]), Inf)
  expect_identical(found$stats$neighbors, as.double(sum(near)))
  expect_output(print(found), sprintf("5 nearest of 90 points for each of 7, l2; %d found", sum(near)), fixed = TRUE)
  expect_output(print(found), "-", fixed = TRUE)
})

test_that("RANN finds the same within a radius", {
  skip_if_not_installed("RANN")
  radius <- median(between(data, query, 3))
  expected <- RANN::nn2(data, query, k = 6, searchtype = "radius", radius = radius)
  found <- as_nn(bmo_knn(data, query, k = 6, max_distance = radius), "RANN")
  expect_identical(found$nn.idx, expected$nn.idx)
  expect_equal(found$nn.dists, expected$nn.dists, tolerance = 1e-6)
})

test_that("a graph joins the points within a distance", {
  rownames(data) <- paste0("cell", 1:90)
  radius <- median(between(data, rank = 3))
  expected <- as.matrix(dist(data))
  expected[expected > radius] <- 0
  expect_equal(as.matrix(bmo_graph(bmo_radius(unname(data), max_distance = radius))), unname(expected), tolerance = 1e-10)
  nearest <- bmo_graph(data, k = 4, max_distance = radius)
  expect_equal(nearest@x, expected[as.matrix(nearest) > 0], tolerance = 1e-10)
  expect_identical(dimnames(nearest), dimnames(expected))
  expect_equal(max(Matrix::rowSums(nearest > 0)), 4)
  expect_error(bmo_graph(bmo_radius(data, query, 9)), "expected bmo_radius(data) without query", fixed = TRUE, class = "bmo_error")
})

test_that("distances and counts that make no sense are refused", {
  refused <- function(call, message, argument) {
    error <- tryCatch(call, error = identity)
    expect_s3_class(error, "bmo_error")
    expect_identical(conditionMessage(error), message)
    expect_identical(error$argument, argument)
  }
  each <- "expected a number, or one for each of 7 queries"
  for (wrong in list("1", NA, NaN, 1:2, numeric(), NULL)) {
    message <- paste0("max_distance is ", brief(wrong), "; ", each)
    refused(bmo_radius(data, query, wrong), message, "max_distance")
    if (!is.null(wrong)) refused(bmo_knn(data, query, max_distance = wrong), message, "max_distance")
  }
  refused(bmo_radius(data), "max_distance is missing; expected a number, or one for each query", "max_distance")
  refused(bmo_radius(data, query, 1, max_pairs = -1), "max_pairs is -1; expected a whole number from 0 on", "max_pairs")
  error <- tryCatch(bmo_radius(data, query, Inf, max_pairs = 100), error = identity)
  expect_identical(error[c("status", "argument")], list(status = "BMO_EOVERFLOW", argument = "max_pairs"))
  expect_match(conditionMessage(error), "^more than 100 pairs are within max_distance; expected no more than max_pairs")
  expect_length(unlist(bmo_radius(data, query, Inf, max_pairs = 630)$index), 630)
})
