data <- clusters(40, 600)
query <- clusters(4, 600, seed = 2)

test_that("as_nn() gives what the other packages give", {
  own <- bmo_knn(data, k = 3)
  other <- bmo_knn(data, query, k = 3)
  skip_if_not_installed("FNN")
  expect_equal(as_nn(own, "FNN"), FNN::get.knn(data, 3)[c("nn.index", "nn.dist")], tolerance = 1e-12)
  expect_equal(as_nn(other), FNN::get.knnx(data, query, 3)[c("nn.index", "nn.dist")], tolerance = 1e-12)
  skip_if_not_installed("RANN")
  expect_equal(as_nn(own, "RANN"), RANN::nn2(data, k = 4), tolerance = 1e-6)
  expect_equal(as_nn(other, "RANN"), RANN::nn2(data, query, k = 3), tolerance = 1e-6)
})

test_that("as_nn() puts the point itself first where that is the custom, or as told", {
  own <- bmo_knn(data, k = 3)
  hnsw <- as_nn(own, "hnsw")
  expect_identical(names(hnsw), c("idx", "dist"))
  expect_identical(hnsw$idx, cbind(1:40, own$index))
  expect_identical(hnsw$dist, cbind(0, own$distance))
  expect_identical(as_nn(own, "hnsw", self = FALSE)$idx, own$index)
  expect_identical(as_nn(own, "FNN", self = TRUE)$nn.index, cbind(1:40, own$index))
  some <- bmo_knn(data, k = 3, subset = c(7, 3))
  expect_identical(as_nn(some, "RANN")$nn.idx[, 1], c(7L, 3L))
  expect_error(as_nn(bmo_knn(data, query, k = 3), self = TRUE), "not points of the data", class = "bmo_error")
  expect_error(as_nn(1), "expected what bmo_knn\\(\\) gives", class = "bmo_error")
})

test_that("a graph has each distance at (point, neighbor)", {
  rownames(data) <- paste0("cell", 1:40)
  found <- bmo_knn(data, k = 3, seed = 1)
  graph <- bmo_graph(data, k = 3, seed = 1)
  expect_s4_class(graph, "dgCMatrix")
  expect_identical(dim(graph), c(40L, 40L))
  expect_identical(rownames(graph), rownames(data))
  expect_identical(length(graph@x), 120L)
  at <- as.matrix(graph)[cbind(rep(1:40, 3), as.vector(found$index))]
  expect_identical(at, as.vector(found$distance))
  expect_identical(bmo_graph(found)@x, graph@x)
  expect_identical(bmo_graph(data, k = 3, seed = 1, as = "bmo_knn")$index, found$index)
  columns <- bmo_graph(t(data), k = 3, seed = 1, byrow = FALSE)
  expect_identical(columns, graph)
})

test_that("a graph keeps duplicates as entries", {
  twins <- data[c(1, 1, 2, 2), ]
  graph <- bmo_graph(twins, k = 1)
  expect_identical(length(graph@x), 4L)
  expect_identical(graph@x, rep(0, 4))
})

test_that("what is no graph of the data's own points is refused", {
  expect_error(bmo_graph(bmo_knn(data, query, k = 2)), "neighbors of other points", class = "bmo_error")
  expect_error(bmo_graph(bmo_knn(data, k = 2, subset = 1:2)), "neighbors of other points", class = "bmo_error")
  expect_error(bmo_graph(data, query = query), "takes no query", class = "bmo_error")
  expect_error(bmo_graph(data, q = query), "takes no query", class = "bmo_error")
  expect_error(bmo_graph(data, 2, TRUE, query, as = "bmo_knn"), "argument in ... has no name", fixed = TRUE, class = "bmo_error")
  expect_error(bmo_graph(bmo_knn(data, k = 2), 2, TRUE, 5), "argument in ... has no name", fixed = TRUE, class = "bmo_error")
  expect_error(bmo_graph(bmo_knn(data, k = 2), metric = "l1"), "takes no metric any more", class = "bmo_error")
  expect_error(bmo_graph(bmo_knn(data, query, k = 2), as = "bmo_knn"), "neighbors of other points", class = "bmo_error")
  expect_identical(dim(bmo_graph(data[0, ], k = 2)), c(0L, 0L))
  expect_error(as_nn(bmo_knn(data, k = 2, metric = "inner_product"), "RANN"), "under inner_product", class = "bmo_error")
})

test_that("the statistics add up", {
  points <- clusters(300, 3000)
  query <- points[1:4, ] + 0.1
  stats <- bmo_knn(points, query, k = 3, method = "bandit", delta = 0.05)$stats
  expect_identical(stats$queries, 4)
  expect_identical(stats$arms, 300)
  expect_identical(stats$coord_ops_brute, 4 * 300 * 3000)
  expect_identical(stats$coord_ops, stats$coord_ops_sampled + stats$coord_ops_exact)
  expect_identical(stats$gain, stats$coord_ops_brute / stats$coord_ops)
  expect_identical(stats[c("guarantee", "bandit", "confidence", "metric", "delta")],
                   list(guarantee = "proven", bandit = "race", confidence = "betting", metric = "l2", delta = 0.05))
  expect_identical(bmo_knn(points, query, k = 3, method = "exact")$stats$guarantee, "exact")
})

test_that("results are printed in a few lines", {
  found <- bmo_knn(data, k = 3, method = "bandit")
  expect_output(print(found), "<bmo_knn> 3 nearest of 39 points for each of 40, l2", fixed = TRUE)
  expect_output(print(found), "proven: right with probability 0.99 or more", fixed = TRUE)
  expect_length(capture.output(print(found)), 9)
  expect_length(capture.output(print(found, n = 0)), 2)
  expect_error(print(found, n = -1), "n is -1; expected a whole number from 0 on", class = "bmo_error")
  none <- bmo_knn(data, data[0, ], k = 3)
  expect_identical(dim(none$index), c(0L, 3L))
  expect_output(print(none), "as many operations as a full scan", fixed = TRUE)
  expect_output(print(bmo_knn(data, k = 3, method = "exact")), "as many operations as a full scan", fixed = TRUE)
  text <- capture.output(print(summary(found)))
  for (word in c("guarantee", "gain", "operations", "method", "seed", "time")) expect_true(any(grepl(word, text)))
})

test_that("answers keep the names of the points that were searched for", {
  rownames(data) <- paste0("cell", 1:40)
  rownames(query) <- letters[1:4]
  own <- bmo_knn(data, k = 2)
  expect_identical(rownames(own$index), rownames(data))
  expect_identical(rownames(own$distance), rownames(data))
  expect_identical(rownames(bmo_knn(data, k = 2, subset = c(7, 3))$index), c("cell7", "cell3"))
  expect_identical(rownames(bmo_knn(t(data), t(query), k = 2, byrow = FALSE)$index), letters[1:4])
  expect_null(rownames(bmo_knn(data, unname(query), k = 2)$index))
  expect_identical(names(bmo_radius(bmo_prepare(data), max_distance = 1)$index), rownames(data))
  expect_identical(names(bmo_radius(data, query, 1)$distance), letters[1:4])
  expect_output(print(own), "cell1 ", fixed = TRUE)
  expect_null(dimnames(as_nn(own)$nn.index))
  expect_identical(dimnames(bmo_graph(own)), list(rownames(data), rownames(data)))
})

test_that("indices alone are the same indices", {
  for (method in c("bandit", "exact")) {
    whole <- bmo_knn(data, query, k = 3, method = method, seed = 1)
    alone <- bmo_knn(data, query, k = 3, method = method, seed = 1, get.distance = FALSE)
    expect_identical(alone$index, whole$index)
    expect_null(alone$distance)
  }
  expect_output(print(alone), "nearest3", fixed = TRUE)
  expect_identical(names(bmo_knn(data, data[0, ], k = 3, get.distance = FALSE)), c("index", "stats"))
  expect_error(as_nn(alone), "x has no distances; expected what bmo_knn() gives with", fixed = TRUE, class = "bmo_error")
  expect_error(bmo_graph(data, k = 2, get.distance = FALSE), "data has no distances", class = "bmo_error")
  expect_error(bmo_knn(data, get.distance = NA), "get.distance is NA; expected TRUE or FALSE", class = "bmo_error")
})

test_that("a dataset gives its points back", {
  named <- matrix(data, 40, dimnames = list(paste0("cell", 1:40), NULL))
  expect_identical(as.matrix(bmo_dataset(named)), named)
  sparse <- Matrix::rsparsematrix(20, 30, 0.2)
  expect_identical(as.matrix(bmo_dataset(sparse)), unname(as.matrix(sparse)))
  expect_identical(dim(as.matrix(bmo_dataset(data[0, ]))), c(0L, 600L))
})
