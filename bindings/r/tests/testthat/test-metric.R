data <- clusters(80, 600)

test_that("a function is a metric", {
  canberra <- function(a, b) abs(a - b) / (1 + abs(a) + abs(b))
  expected <- brute_force(data, k = 3, distance = function(a, b) sum(canberra(a, b)))
  for (method in c("bandit", "exact")) {
    found <- bmo_knn(data, k = 3, metric = function(a, b, j) canberra(a, b), method = method)
    expect_equal(found$index, expected$index)
    expect_equal(found$distance, expected$distance, tolerance = 1e-12)
    expect_identical(found$stats$metric, "custom")
  }
})

test_that("a metric is told the coordinates, from 1", {
  scale <- (1:600 %% 5) + 1
  expected <- brute_force(data, k = 3, distance = function(a, b) sum(scale * abs(a - b)))
  found <- bmo_knn(data, k = 3, metric = function(a, b, j) scale[j] * abs(a - b))
  expect_equal(found$index, expected$index)
  expect_equal(found$distance, expected$distance, tolerance = 1e-12)
})

test_that("an error in a metric comes back as it is, and the data stay usable", {
  dataset <- bmo_dataset(data)
  calls <- 0
  failing <- function(a, b, j) {
    calls <<- calls + 1
    if (calls == 20) stop(structure(class = c("mine", "error", "condition"), list(message = "enough", call = NULL)))
    abs(a - b)
  }
  error <- tryCatch(bmo_knn(dataset, k = 3, metric = failing, threads = 2), error = identity)
  expect_s3_class(error, "mine")
  expect_identical(calls, 20)
  expect_identical(dim(bmo_knn(dataset, k = 3)$index), c(80L, 3L))
  left <- withRestarts(bmo_knn(dataset, k = 3, metric = function(a, b, j) invokeRestart("leave", 7)),
                       leave = identity)
  expect_identical(left, 7)
})

test_that("what is no distance is refused", {
  refused <- function(metric, message) {
    error <- tryCatch(bmo_knn(data, k = 3, metric = metric), error = identity)
    expect_s3_class(error, "bmo_error")
    expect_identical(error$status, "BMO_ECALLBACK")
    expect_match(conditionMessage(error), message)
  }
  refused(function(a, b, j) 1:3, "metric gave 3 of type integer; expected [0-9]+ numbers, one for each coordinate")
  refused(function(a, b, j) as.character(a), "of type character; expected")
  refused(function(a, b, j) NULL, "metric gave 0 of type NULL")
  refused(function(a, b, j) ifelse(j == 600, -1, 1), "^metric says -1 of coordinate 600 of point [0-9]+; expected a finite number >= 0")
  refused(function(a, b, j) NA * a, "^metric says nan of coordinate")
  error <- tryCatch(bmo_knn(data, k = 3, metric = function(a) a), error = identity)
  expect_lt(nchar(paste(deparse(conditionCall(error)), collapse = "")), 100)
})

test_that("Ctrl-C stops a metric", {
  interrupt_after(0.5)
  stopped <- stopped_by(bmo_knn(data, k = 3, metric = function(a, b, j) {
    Sys.sleep(0.01)
    abs(a - b)
  }))
  expect_s3_class(stopped, "interrupt")
})

test_that("the names of other packages stand for the same", {
  data <- clusters(30, 20)
  for (names in list(c("l2", "euclidean", "Euclidean"), c("l1", "manhattan", "Manhattan"), c("cosine", "Cosine"))) {
    for (other in names[-1]) {
      found <- bmo_knn(data, k = 3, metric = other, seed = 1)
      expect_identical(found$stats$metric, names[1])
      expect_identical(found$distance, bmo_knn(data, k = 3, metric = names[1], seed = 1)$distance)
    }
  }
  expect_identical(bmo_medoid(data, metric = "manhattan")$stats$metric, "l1")
})
