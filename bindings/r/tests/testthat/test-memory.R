whole <- matrix(1:2e6, 2000) # libbmo has a copy of 8 MB

test_that("a dataset that a call makes for itself ends with the call, however that ends", {
  made <- NULL
  use <- function(fail) {
    made <<- as_dataset(whole, "data", TRUE, environment())
    if (fail) stop("as planned")
    dim(made)
  }
  expect_identical(use(FALSE), c(2000, 1000))
  expect_error(dim(made), "dataset", class = "bmo_error")
  expect_error(use(TRUE), "as planned")
  expect_error(dim(made), "dataset", class = "bmo_error")
})

test_that("calls on matrices leave nothing behind", {
  skip_if_not(file.exists("/proc/self/status"))
  points <- whole[1:2, ]
  file <- tempfile(fileext = ".bmo")
  on.exit(unlink(file))
  calls <- list(
    function() bmo_knn(whole, points, k = 1), function() bmo_radius(whole, max_distance = 0, subset = 1),
    function() bmo_knn(points, whole, k = 1), function() bmo_knn(whole, k = 1, box = "rotated", subset = 1),
    function() bmo_kmeans(whole, whole[1:2, ], iter.max = 1L), function() bmo_graph(whole[1:20, ], k = 1),
    function() bmo_save(whole, file)
  )
  for (call in calls) {
    call()
    gc()
    before <- resident()
    for (i in 1:12) call()
    expect_lt(resident() - before, 60) # 12 copies take 96
  }
})

test_that("datasets that were dropped do not pile up without a call of gc()", {
  skip_if_not(file.exists("/proc/self/status"))
  most <- collect_after(40e6)
  on.exit(collect_after(most))
  gc()
  before <- peak <- resident()
  for (i in 1:60) {
    bmo_dataset(whole)
    peak <- max(peak, resident())
  }
  expect_lt(peak - before, 120) # all of them take 480
  kept <- lapply(1:10, function(i) bmo_dataset(whole))
  for (one in kept) expect_identical(dim(one), c(2000, 1000))
})

test_that("what is made of a dataset outlives it", {
  dataset <- bmo_dataset(whole[1:50, ])
  prepared <- bmo_prepare(dataset, box = "dense", seed = 1)
  expected <- bmo_knn(prepared, k = 2)
  dataset_free(dataset$pointer)
  dataset_free(dataset$pointer)
  expect_identical(bmo_knn(prepared, k = 2)$index, expected$index)
  expect_error(bmo_knn(dataset, k = 2), "dataset", class = "bmo_error")
})
