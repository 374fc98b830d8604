cases <- list(
  random = clusters(60, 20),
  duplicates = clusters(20, 12)[rep(1:20, 3), ],
  tied = as.matrix(expand.grid(0:3, 0:3, 0:3)),
  constant = matrix(7, 30, 6),
  one_column = matrix(as.double((1:40)^2 %% 97), ncol = 1),
  wide = clusters(90, 700)
)

for (name in names(cases)) {
  for (method in c("bandit", "exact")) {
    test_that(sprintf("%s data, %s: the neighbors of a full scan", name, method), {
      data <- cases[[name]]
      for (distance in c("l1", "l2")) {
        expected <- brute_force(data, k = 5, distance = get(distance))
        found <- bmo_knn(data, k = 5, metric = distance, method = method, seed = 3)
        expect_neighbors(found, expected, data, distance = get(distance))
        if (all(data == round(data))) expect_equal(found$index, expected$index)
        prepared <- bmo_prepare(data, seed = 4)
        found <- bmo_knn(prepared, k = 5, metric = distance, method = method)
        expect_neighbors(found, expected, data, distance = get(distance))
      }
    })
  }
}

test_that("FNN finds the same neighbors, of the points themselves and of queries", {
  skip_if_not_installed("FNN")
  data <- clusters(200, 600)
  query <- clusters(20, 600, seed = 2)
  own <- FNN::get.knn(data, 7)
  found <- bmo_knn(data, k = 7)
  expect_identical(found$index, own$nn.index)
  expect_equal(found$distance, own$nn.dist, tolerance = 1e-12)
  other <- FNN::get.knnx(data, query, 7)
  found <- bmo_knn(data, query, k = 7)
  expect_identical(found$index, other$nn.index)
  expect_equal(found$distance, other$nn.dist, tolerance = 1e-12)
})

test_that("other metrics follow their formulas", {
  data <- clusters(40, 30)
  formulas <- list(
    sqeuclidean = function(a, b) sum((a - b)^2),
    lp = function(a, b) sum(abs(a - b)^3)^(1 / 3)
  )
  for (metric in names(formulas)) {
    expected <- brute_force(data, k = 4, distance = formulas[[metric]])
    exponent <- if (metric == "lp") list(p = 3)
    found <- do.call(bmo_knn, c(list(data, k = 4, metric = metric, method = "bandit"), exponent))
    expect_equal(found$index, expected$index)
    expect_equal(found$distance, expected$distance, tolerance = 1e-12)
  }
})

test_that("weights count coordinates as often as they say, prepared or not", {
  data <- clusters(60, 700)
  weights <- (0:699 %% 4) / 2
  expected <- brute_force(data, k = 3, distance = function(a, b) sum(weights * abs(a - b)))
  for (points in list(data, bmo_prepare(data, weights = weights))) {
    found <- bmo_knn(points, k = 3, metric = "l1", weights = if (is.matrix(points)) weights, method = "bandit")
    expect_equal(found$index, expected$index)
    expect_equal(found$distance, expected$distance, tolerance = 1e-12)
  }
})

test_that("a rotated dataset gives the same neighbors", {
  data <- clusters(80, 700)
  data[, 1:5] <- data[, 1:5] * 100
  expected <- brute_force(data, k = 3, distance = l2)
  found <- bmo_knn(bmo_prepare(data, box = "rotated"), k = 3, method = "bandit")
  expect_identical(found$stats$box, "rotated")
  expect_neighbors(found, expected, data)
})

test_that("points in columns are the same points", {
  data <- clusters(80, 600)
  query <- clusters(6, 600, seed = 2)
  rows <- bmo_knn(data, query, k = 4, seed = 5)
  columns <- bmo_knn(t(data), t(query), k = 4, seed = 5, byrow = FALSE)
  expect_identical(columns$index, rows$index)
  expect_identical(columns$distance, rows$distance)
  expect_identical(dim(columns$index), c(6L, 4L))
})

test_that("every way to hold numbers gives the same answer", {
  numbers <- matrix(as.double((1:600 * 7919) %% 251), 30)
  integers <- numbers
  storage.mode(integers) <- "integer"
  expected <- brute_force(numbers, k = 3, distance = l1)
  same <- function(data) {
    found <- bmo_knn(data, k = 3, metric = "l1")
    expect_equal(found$index, expected$index)
    expect_equal(found$distance, expected$distance)
  }
  same(numbers)
  same(integers)
  same(matrix(as.raw(integers), 30))
  same(as.data.frame(numbers))
  same(as.data.frame(integers))
  same(Matrix::Matrix(numbers, sparse = FALSE))

  truth <- numbers > 125
  expected <- brute_force(truth + 0, k = 3, distance = l1)
  same(truth)
  same(Matrix::Matrix(truth, sparse = FALSE))
})

test_that("subset searches from some points of the data, which are not their own neighbors", {
  data <- clusters(50, 30)
  all <- bmo_knn(data, k = 4, seed = 1)
  some <- bmo_knn(data, k = 4, seed = 1, subset = c(9, 2, 9))
  expect_identical(some$index, all$index[c(9, 2, 9), ])
  expect_identical(some$distance, all$distance[c(9, 2, 9), ])
})

test_that("a single point, and no query at all", {
  data <- matrix(c(3, 4), 1)
  found <- bmo_knn(data, matrix(c(0, 0), 1), k = 1)
  expect_identical(found$index, matrix(1L))
  expect_identical(found$distance, matrix(5))
  none <- bmo_knn(data, matrix(0, 0, 2), k = 1)
  expect_identical(dim(none$index), c(0L, 1L))
  expect_output(print(none), "0 columns|each of 0")
})

test_that("epsilon allows an excess, and sampling then costs less", {
  data <- clusters(150, 800)
  exact <- bmo_knn(data, k = 3, metric = "sqeuclidean", method = "bandit", seed = 1)
  near <- bmo_knn(data, k = 3, metric = "sqeuclidean", method = "bandit", seed = 1, epsilon = 1)
  expect_true(all(near$distance <= exact$distance + 800))
  expect_lt(near$stats$coord_ops, exact$stats$coord_ops)
  expect_identical(near$stats$epsilon, 1)
})

test_that("points are chosen by number, name, or TRUE and FALSE", {
  data <- clusters(40, 30)
  rownames(data) <- sprintf("cell%d", 1:40)
  expected <- brute_force(data, data[c(7, 31), ], k = 4, distance = l2)
  expected <- list(index = expected$index[, -1], distance = unname(expected$distance[, -1])) # without themselves
  for (subset in list(c(7, 31), c("cell7", "cell31"), 1:40 %in% c(7, 31))) {
    found <- bmo_knn(data, k = 3, subset = subset, method = "exact")
    expect_equal(unname(found$index), expected$index)
    expect_equal(unname(found$distance), expected$distance, tolerance = 1e-12)
    expect_identical(rownames(found$index), c("cell7", "cell31"))
    expect_identical(attr(found, "self"), c(7L, 31L))
    expect_identical(names(bmo_radius(data, max_distance = 1, subset = subset)$index), c("cell7", "cell31"))
  }
  refused <- function(...) conditionMessage(tryCatch(bmo_knn(...), bmo_error = identity))
  expect_identical(refused(data, subset = "cell0"), "subset has \"cell0\"; expected names of points of data")
  expect_identical(refused(unname(data), subset = "cell1"),
                   "subset has names, but the points of data have none; expected their numbers")
  expect_identical(refused(data, subset = c(TRUE, FALSE)),
                   "subset is c(TRUE, FALSE); expected whole numbers from 1 to 40, names of points, or 40 of TRUE and FALSE")
})

test_that("searches of one dataset by turns have each their own parameters", {
  data <- clusters(50, 40)
  query <- clusters(3, 40, seed = 2)
  dataset <- bmo_dataset(data)
  weights <- rep(c(1, 4), 20)
  weighted <- function(a, b) sum(weights * abs(a - b))
  expected <- list(brute_force(data, query, 3, l1), brute_force(data, query, 3, l2), brute_force(data, query, 3, weighted))
  for (turn in c(1, 1, 2, 3, 3, 1, 2, 2)) {
    found <- bmo_knn(dataset, query, k = 3, metric = c("l1", "l2", "l1")[turn], weights = if (turn == 3) weights, seed = 1)
    expect_equal(found$distance, expected[[turn]]$distance, tolerance = 1e-12)
    expect_equal(found$index, expected[[turn]]$index)
  }
  nested <- function(a, b, j) {
    inner <<- bmo_knn(dataset, query, k = 3, metric = "l2", seed = 1)
    abs(a - b)
  }
  inner <- NULL
  expect_equal(bmo_knn(dataset, query, k = 3, metric = nested)$distance, expected[[1]]$distance, tolerance = 1e-12)
  expect_equal(inner$distance, expected[[2]]$distance, tolerance = 1e-12)
})
