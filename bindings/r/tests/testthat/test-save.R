data <- round(clusters(60, 400, seed = 6))

test_that("a dataset comes back from its file, with what was prepared", {
  file <- tempfile(fileext = ".bmo")
  on.exit(unlink(file))
  sparse <- Matrix::Matrix(data * (data > 4), sparse = TRUE)
  for (dataset in list(bmo_dataset(data), bmo_prepare(data, box = "dense", seed = 3), bmo_prepare(data, box = "rotated", seed = 3),
                       bmo_dataset(sparse))) {
    expect_identical(bmo_save(dataset, file), file)
    for (map in c(TRUE, FALSE)) {
      again <- bmo_load(file, map = map)
      expect_identical(dim(again), dim(dataset))
      kept <- c("type", "sparse", "prepared", "box", "seed", "values")
      expect_identical(summary(again)[kept], summary(dataset)[kept])
      expect_equal(bmo_knn(again, k = 4, seed = 3)[1:2], bmo_knn(dataset, k = 4, seed = 3)[1:2])
    }
  }
  bmo_save(data, file)
  expect_neighbors(bmo_knn(bmo_load(file), k = 3, seed = 1), brute_force(data, k = 3, distance = l2), data)
  bmo_save(t(data), file, byrow = FALSE)
  expect_identical(dim(bmo_load(file)), dim(bmo_dataset(data)))
})

test_that("a file that cannot be written or read is an error, and leaves nothing", {
  directory <- tempfile()
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  expect_error(bmo_save(data, directory), "is a directory", class = "bmo_error")
  expect_error(bmo_save(data, file.path(directory, "a", "b.bmo")), "cannot be created", class = "bmo_error")
  expect_error(bmo_save(data, "/dev/full"), "device", class = "bmo_error")
  expect_error(bmo_save(data, NA_character_), "file is NA; expected the name of a file", class = "bmo_error")
  expect_error(bmo_save("a", tempfile()), "data is a vector of type character", class = "bmo_error")
  expect_identical(list.files(directory), character())
  cut <- file.path(directory, "cut.bmo")
  bmo_save(data, cut)
  writeBin(readBin(cut, "raw", 5000), cut)
  error <- tryCatch(bmo_load(cut), error = identity)
  expect_identical(error$status, "BMO_EFORMAT")
})
