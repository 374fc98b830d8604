skip_on_os("windows")

# Points that are all about equally far: nothing is quick about them.
hard <- function(n, d) {
  set.seed(1)
  matrix(rnorm(n * d), n)
}

test_that("Ctrl-C stops a search, as an interrupt, and the data stay usable", {
  dataset <- bmo_dataset(hard(6000, 1000))
  for (threads in 1:2) {
    interrupt_after(0.5)
    stopped <- stopped_by(bmo_knn(dataset, k = 5, method = "exact", threads = threads))
    expect_s3_class(stopped, "interrupt")
  }
  expect_identical(dim(bmo_knn(dataset, k = 5, subset = 1:3)$index), c(3L, 5L))
})

test_that("Ctrl-C stops reading and preparing", {
  file <- tempfile()
  on.exit(unlink(file))
  data <- hard(1000, 500)
  dataset <- bmo_dataset(data)
  settings <- as_settings(list(seed = 1), "prepare")
  stopped <- stopped_by({
    tools::pskill(Sys.getpid(), tools::SIGINT)
    dataset_prepare(dataset$pointer, settings, NULL, FALSE)
  })
  expect_s3_class(stopped, "interrupt")
  expect_identical(dim(bmo_prepare(dataset)), c(1000, 500))

  write_npy(data, file)
  for (map in c(TRUE, FALSE)) {
    stopped <- stopped_by({
      tools::pskill(Sys.getpid(), tools::SIGINT)
      dataset_open(file, map, TRUE, FALSE)
    })
    expect_s3_class(stopped, "interrupt")
  }
  expect_identical(dim(bmo_load(file)), c(1000, 500))
})

test_that("interrupted calls leak nothing", {
  skip_if_not(file.exists("/proc/self/status"))
  data <- hard(4000, 2000)
  interrupted <- function() {
    interrupt_after(0.2)
    stopped <- stopped_by(bmo_knn(bmo_prepare(data, seed = 1), k = 500, seed = 1, method = "exact", threads = 2))
    gc() # else the allocator keeps what several calls left behind, and it looks like a leak
    inherits(stopped, "interrupt")
  }
  stopped <- replicate(3, interrupted())
  gc()
  before <- resident()
  stopped <- c(stopped, replicate(8, interrupted()))
  expect_true(all(stopped))
  gc()
  expect_lt(resident() - before, 40) # the result of one search takes 24, one preparation 16
})

test_that("the progress bar goes to stderr and ends full; without it nothing is printed", {
  data <- clusters(300, 700)
  run <- function(progress) {
    shown <- NULL
    printed <- capture.output(
      shown <- capture.output(bmo_knn(bmo_prepare(data, seed = 1, progress = progress), k = 3, progress = progress),
                              type = "message")
    )
    list(shown = paste(shown, collapse = "\n"), printed = printed[!grepl("bmo_knn|proven|exact|nearest|\\[", printed)])
  }
  with_bar <- run(TRUE)
  expect_match(with_bar$shown, "prepare \\|=+\\| 100%")
  expect_match(with_bar$shown, "search  \\|=+\\| 100%")
  expect_identical(run(FALSE)$shown, "")
})
