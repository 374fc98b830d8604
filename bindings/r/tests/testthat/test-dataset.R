test_that("a dataset outlives the matrix that it was made of", {
  data <- clusters(60, 40)
  expected <- bmo_knn(data, k = 3)
  dataset <- bmo_dataset(data)
  prepared <- bmo_prepare(dataset)
  rm(data)
  gc()
  expect_identical(bmo_knn(dataset, k = 3)$index, expected$index)
  rm(dataset)
  gc()
  junk <- lapply(1:50, function(i) numeric(2400))
  expect_identical(bmo_knn(prepared, k = 3)$index, expected$index)
})

test_that("a dataset keeps the values that it was made of", {
  data <- clusters(60, 40)
  expected <- bmo_knn(data, k = 3, method = "exact")
  dataset <- bmo_dataset(data)
  data[] <- 0
  expect_identical(bmo_knn(dataset, k = 3, method = "exact")$distance, expected$distance)
})

test_that("numbers are searched where they lie, without a copy", {
  data <- clusters(60, 40)
  about <- summary(bmo_dataset(data))
  expect_identical(about$bytes_owned, 0)
  expect_identical(about$bytes_borrowed, 60 * 40 * 8)
  expect_identical(about[c("n", "d", "type", "prepared")], list(n = 60, d = 40, type = "float64", prepared = FALSE))
  expect_identical(dim(bmo_dataset(data, byrow = FALSE)), c(40, 60))
  expect_output(print(bmo_dataset(data)), "60 points of 40 coordinates, float64.*19.2 kB of others")
})

test_that("a prepared dataset is searched with its own seed", {
  prepared <- bmo_prepare(clusters(60, 40), seed = 9)
  expect_identical(summary(prepared)$seed, 9)
  expect_identical(bmo_knn(prepared, k = 3)$stats$seed, 9)
  expect_error(bmo_knn(prepared, k = 3, seed = 8), "prepared with seed 9", class = "bmo_error")
  expect_output(print(prepared), "prepared for the dense box with seed 9")
  set.seed(4)
  first <- summary(bmo_prepare(prepared))$seed
  set.seed(4)
  expect_identical(summary(bmo_prepare(prepared))$seed, first)
})

test_that("a summary says whether there are weights, where that is known", {
  data <- clusters(20, 12)
  weighted <- bmo_prepare(data, weights = rep(1:2, 6))
  file <- tempfile(fileext = ".bmo")
  on.exit(unlink(file))
  bmo_save(weighted, file)
  expect_true(summary(weighted)$weighted)
  expect_false(summary(bmo_prepare(data))$weighted)
  expect_false(summary(bmo_dataset(data))$weighted)
  expect_identical(summary(bmo_load(file))$weighted, NA)
  bmo_save(data, file)
  expect_false(summary(bmo_load(file))$weighted)
})

test_that("weights are read back where they were given", {
  data <- clusters(20, 12)
  w <- rep(1:2, 6)
  weighted <- bmo_prepare(data, weights = w)
  expect_identical(weights(weighted), as.double(w))
  expect_null(weights(bmo_prepare(weighted)))
  expect_null(weights(bmo_dataset(data)))
  searches <- list(
    function(...) bmo_knn(..., k = 2), function(...) bmo_radius(..., max_distance = 2), function(...) bmo_medoid(...)
  )
  for (search in searches) {
    expect_identical(weights(search(weighted)), as.double(w))
    expect_identical(weights(search(data, weights = w)), as.double(w))
    expect_null(weights(search(data)))
  }
  file <- tempfile(fileext = ".bmo")
  on.exit(unlink(file))
  bmo_save(weighted, file)
  expect_identical(weights(bmo_load(file)), NA_real_)
  expect_identical(weights(bmo_knn(bmo_load(file), k = 2, weights = w)), as.double(w))
  bmo_save(data, file)
  expect_null(weights(bmo_load(file)))
})

test_that("points are prepared for a metric by any of its names", {
  data <- clusters(60, 40)
  prepared <- bmo_prepare(data, box = "rotated", metric = "Cosine", seed = 1)
  expect_identical(bmo_knn(prepared, k = 2, metric = "cosine")$stats$box, "rotated")
  expect_error(bmo_prepare(data, metric = "custom"), "expected in its place a function", class = "bmo_error")
  expect_error(bmo_prepare(data, metric = function(a, b, j) abs(a - b)), "^metric is a function, .* set box to dense", class = "bmo_error")
})

test_that("a dataset may be the query", {
  data <- clusters(60, 40)
  query <- clusters(5, 40, seed = 2)
  expect_identical(bmo_knn(bmo_dataset(data), bmo_dataset(query), k = 3)$index, bmo_knn(data, query, k = 3)$index)
})

test_that("a dataset of another session is refused with what to do", {
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(bmo_dataset(clusters(5, 3)), file)
  gone <- readRDS(file)
  expect_error(bmo_knn(gone, k = 1), "dataset of another R session, .* bmo_dataset\\(\\)", class = "bmo_error")
  expect_error(bmo_prepare(gone), "dataset of another R session", class = "bmo_error")
  expect_error(bmo_knn(clusters(5, 3), gone, k = 1), "dataset of another R session", class = "bmo_error")
})

test_that("a pointer of another kind is refused", {
  other <- structure(list(pointer = 1), class = "bmo_dataset")
  expect_error(bmo_knn(other), "data is not a dataset of this package", class = "bmo_error")
})

test_that("files are searched like matrices", {
  data <- clusters(30, 12)
  file <- tempfile(fileext = ".npy")
  on.exit(unlink(file))
  write_npy(data, file)
  expected <- bmo_knn(data, k = 3)
  for (map in c(TRUE, FALSE)) {
    loaded <- bmo_load(file, map = map)
    expect_identical(bmo_knn(loaded, k = 3)[c("index", "distance")], unclass(expected)[c("index", "distance")])
    about <- summary(loaded)
    expect_identical(c(about$bytes_owned, about$bytes_borrowed) > 0, c(!map, map))
    columns <- bmo_load(file, map = map, byrow = FALSE)
    expect_identical(dim(columns), c(12, 30))
    expect_equal(bmo_knn(columns, k = 3)$distance, brute_force(t(data), k = 3, distance = l2)$distance)
  }
  expect_identical(summary(bmo_load(file))$bytes_borrowed, 0)
})

test_that("some points are a dataset of their own", {
  data <- clusters(120, 600)
  rownames(data) <- sprintf("p%d", seq_len(120))
  query <- clusters(7, 600)
  same <- function(dataset, rows, ...) {
    expect_equal(dim(dataset), c(length(rows), 600))
    expect_identical(rownames(dataset), rownames(data)[rows])
    expect_equal(as.matrix(dataset), data[rows, ], ignore_attr = TRUE)
    expect_equal(bmo_knn(dataset, query, k = 3, ...)$distance,
                 unname(brute_force(unname(data[rows, ]), query, 3, l2)$distance), tolerance = 1e-12)
  }
  rows <- c(5, 3, 3, 120, 60:90)
  for (dataset in list(bmo_dataset(data), bmo_prepare(data, seed = 1, box = "dense"), bmo_prepare(data, seed = 1, box = "rotated"))) {
    same(dataset[rows, ], rows)
    same(dataset[-(1:80), ], 81:120)
    same(dataset[c("p9", "p7", "p8"), ], c(9, 7, 8))
    same(dataset[seq_len(120) %% 2 == 0, ], seq(2, 120, 2))
  }
  prepared <- bmo_prepare(data, seed = 1, box = "rotated")
  expect_identical(summary(prepared[rows, ])$box, "rotated")
  expect_identical(dim(prepared[integer(0), ]), c(0, 600))
  expect_identical(dim(prepared[, ]), c(120, 600))
})

test_that("a dataset is indexed by its points alone", {
  dataset <- bmo_dataset(clusters(20, 30))
  expect_error(dataset[1:3], "expected data[i, ]", fixed = TRUE)
  expect_error(dataset[1:3, 2], "expected data[i, ]", fixed = TRUE)
  expect_error(dataset[21, ], "i has 21; expected whole numbers from 1 to 20", fixed = TRUE)
  expect_error(dataset[c(1, -1), ], "i has -1", fixed = TRUE)
  expect_error(dataset[NA, ], "i is NA", fixed = TRUE)
  expect_error(dataset["a", ], "i has names", fixed = TRUE)
})
