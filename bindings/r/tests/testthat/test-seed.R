data <- clusters(120, 700)

test_that("set.seed() repeats an answer and its cost", {
  set.seed(11)
  first <- bmo_knn(data, k = 3, method = "bandit")
  second <- bmo_knn(data, k = 3, method = "bandit")
  set.seed(11)
  again <- bmo_knn(data, k = 3, method = "bandit")
  expect_identical(again$stats[names(again$stats) != "seconds"], first$stats[names(first$stats) != "seconds"])
  expect_false(first$stats$seed == second$stats$seed)
})

test_that("a seed that is given leaves R's generator alone", {
  set.seed(3)
  expected <- runif(1)
  set.seed(3)
  bmo_knn(data, k = 3, seed = 2)
  expect_identical(runif(1), expected)
})

test_that("seeds beyond R's integers arrive whole", {
  expect_identical(bmo_knn(data, k = 1, seed = 2^53)$stats$seed, 2^53)
  expect_identical(bmo_knn(data, k = 1, seed = -5)$stats$seed, -5)
  for (seed in c("9007199254740993", "9223372036854775807")) {
    prepared <- bmo_prepare(data, seed = seed)
    expect_identical(bmo_knn(prepared, k = 1)$index, bmo_knn(data, k = 1)$index)
    expect_identical(bmo_kmeans(prepared, 1)$size, nrow(data))
    expect_identical(summary(prepared)$seed, seed)
    found <- bmo_knn(prepared, k = 1, seed = summary(prepared)$seed)
    expect_identical(found$stats$seed, seed)
    expect_output(print(prepared), paste("with seed", seed), fixed = TRUE)
    expect_output(print(summary(found)), paste("seed        ", seed), fixed = TRUE)
  }
})

test_that("k-means and the medoid of prepared points have seeds of their own", {
  prepared <- bmo_prepare(data, seed = 9)
  for (run in list(function(...) bmo_kmeans(prepared, 5, init = "random", ...), function(...) bmo_medoid(prepared, ...))) {
    expect_identical(run(seed = 4)$stats$seed, 4)
    expect_identical(run(seed = "9223372036854775807")$stats$seed, "9223372036854775807")
    seeds <- vapply(1:2, function(seed) {
      set.seed(seed)
      run()$stats$seed
    }, 0)
    expect_identical(anyDuplicated(c(seeds, 9)), 0L)
    set.seed(2)
    expect_identical(run()$stats$seed, seeds[2])
  }
  starts <- function(points) lapply(1:6, function(seed) {
    set.seed(seed)
    bmo_kmeans(points, 9, init = "random", iter.max = 1)$cluster
  })
  expect_identical(starts(prepared), starts(data))
  expect_gt(length(unique(starts(prepared))), 3)
})

test_that("the answer is the same with two threads", {
  one <- bmo_knn(data, k = 5, method = "bandit", seed = 1)
  two <- bmo_knn(data, k = 5, method = "bandit", seed = 1, threads = 2)
  expect_identical(two$index, one$index)
  expect_identical(two$distance, one$distance)
  expect_identical(two$stats$coord_ops, one$stats$coord_ops)
  expect_identical(two$stats$threads, 2L)
})
