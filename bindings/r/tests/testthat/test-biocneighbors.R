skip_if_not_installed("BiocNeighbors")
skip_if(utils::packageVersion("BiocNeighbors") >= "2", "BiocNeighbors has another interface since version 2")

data <- clusters(90, 40)
rownames(data) <- sprintf("cell%d", 1:90)
query <- clusters(7, 40, seed = 2)
theirs <- function(distance) BiocNeighbors::VptreeParam(distance = distance)
distances <- c("Euclidean", "Manhattan", "Cosine")

# Their lists of neighbors have no order.
by_number <- function(found) {
  order <- lapply(found$index, order)
  lapply(found, function(lists) Map(function(values, at) values[at], lists, order))
}

test_that("nearest neighbors are those of BiocNeighbors", {
  for (distance in distances) {
    param <- BmoParam(distance, seed = 1)
    same <- function(find, ...) expect_equal(find(..., BNPARAM = param), find(..., BNPARAM = theirs(distance)))
    same(BiocNeighbors::findKNN, data, k = 5)
    same(BiocNeighbors::findKNN, data, k = 5, last = 2, subset = c(3, 9, 2))
    same(BiocNeighbors::findKNN, t(data), k = 4, transposed = TRUE, get.distance = FALSE)
    same(BiocNeighbors::findKNN, data, k = 4, subset = c("cell4", "cell1"), get.index = FALSE)
    same(BiocNeighbors::queryKNN, data, query, k = 5)
    same(BiocNeighbors::queryKNN, data, t(query), k = 5, transposed = TRUE, subset = 2:4)
  }
})

test_that("all within a distance are those of BiocNeighbors", {
  for (distance in distances) {
    param <- BmoParam(distance, seed = 1)
    threshold <- c(Euclidean = 9, Manhattan = 45, Cosine = 0.4)[[distance]]
    same <- function(find, ...) {
      expect_equal(by_number(find(..., BNPARAM = param)), by_number(find(..., BNPARAM = theirs(distance))))
    }
    same(BiocNeighbors::findNeighbors, data, threshold = threshold)
    same(BiocNeighbors::findNeighbors, data, threshold = threshold, subset = c(8, 3))
    same(BiocNeighbors::queryNeighbors, data, query, threshold = 1.2 * threshold)
  }
})

test_that("an index serves as the points that it was built of", {
  param <- BmoParam("Manhattan", seed = 1)
  for (index in list(BiocNeighbors::buildIndex(data, BNPARAM = param),
                     BiocNeighbors::buildIndex(t(data), transposed = TRUE, BNPARAM = param))) {
    expect_identical(dim(index), dim(data))
    expect_equal(BiocNeighbors::findKNN(BNINDEX = index, k = 5), BiocNeighbors::findKNN(data, k = 5, BNPARAM = param))
    expect_equal(BiocNeighbors::queryKNN(BNINDEX = index, query = query, k = 5, BNPARAM = param),
                 BiocNeighbors::queryKNN(data, query, k = 5, BNPARAM = param))
    expect_equal(BiocNeighbors::findNeighbors(BNINDEX = index, threshold = 45),
                 BiocNeighbors::findNeighbors(data, threshold = 45, BNPARAM = param))
  }
})

test_that("parameters are checked, and fewer points than k are told", {
  expect_error(BmoParam(sigmma = 1), "there is no parameter \"sigmma\"", class = "bmo_error")
  expect_error(BmoParam(p = 3), "p is 3, which does not count here; expected none, or metric lp", class = "bmo_error")
  expect_error(BmoParam(expected_queries = 3), "expected_queries is 3, which does not count in this call", class = "bmo_error")
  expect_error(BmoParam(metric = "l1"), "metric was given twice", class = "bmo_error")
  both <- BmoParam(epsilon = 0, seed = 1) # epsilon counts for findKNN alone
  expect_equal(BiocNeighbors::findKNN(data, k = 3, BNPARAM = both), BiocNeighbors::findKNN(data, k = 3, BNPARAM = theirs("Euclidean")))
  expect_length(BiocNeighbors::findNeighbors(data, threshold = 1, BNPARAM = both)$index, 90)
  param <- BmoParam(seed = 1, method = "exact")
  expect_warning(found <- BiocNeighbors::findKNN(data[1:4, ], k = 7, BNPARAM = param), "'k' capped")
  expect_equal(found, BiocNeighbors::findKNN(data[1:4, ], k = 3, BNPARAM = theirs("Euclidean")))
  expect_warning(found <- BiocNeighbors::findKNN(data[1, , drop = FALSE], k = 1, BNPARAM = param), "'k' capped")
  expect_identical(dim(found$index), c(1L, 0L))
})
