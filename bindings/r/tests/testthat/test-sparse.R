# Counts, most of which are 0.
counts <- function(n, d, seed = 1) {
  set.seed(seed)
  profile <- matrix(rgamma(4 * d, 0.1), 4)
  dense <- matrix(rpois(n * d, profile[sample.int(4, n, TRUE), ]), n)
  dense[n, ] <- 0
  storage.mode(dense) <- "double"
  dense
}

dense <- counts(120, 500)
query <- counts(9, 500, seed = 2)
scanned <- list(
  own = list(l1 = brute_force(dense, k = 4, distance = l1), l2 = brute_force(dense, k = 4, distance = l2)),
  other = list(l1 = brute_force(dense, query, k = 4, distance = l1), l2 = brute_force(dense, query, k = 4, distance = l2))
)
as_csc <- function(x) methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
as_csr <- function(x) methods::as(Matrix::Matrix(x, sparse = TRUE), "RsparseMatrix")

forms <- list(
  "dgCMatrix, points in rows" = list(as_csc, identity, TRUE),
  "dgCMatrix, points in columns" = list(as_csc, t, FALSE),
  "dgRMatrix, points in rows" = list(as_csr, identity, TRUE),
  "dgRMatrix, points in columns" = list(as_csr, t, FALSE)
)

for (name in names(forms)) {
  test_that(paste(name, "give what a full scan of the dense matrix gives"), {
    make <- function(x) forms[[name]][[1]](forms[[name]][[2]](x))
    byrow <- forms[[name]][[3]]
    for (metric in c("l1", "l2")) {
      for (method in c("bandit", "exact")) {
        own <- bmo_knn(make(dense), k = 4, metric = metric, method = method, byrow = byrow)
        expect_identical(own$stats$box, "sparse")
        expect_equal(own$index, scanned$own[[metric]]$index)
        expect_equal(own$distance, scanned$own[[metric]]$distance, tolerance = 1e-12)
        other <- bmo_knn(make(dense), make(query), k = 4, metric = metric, method = method, byrow = byrow)
        expect_equal(other$index, scanned$other[[metric]]$index)
        expect_equal(other$distance, scanned$other[[metric]]$distance, tolerance = 1e-12)
      }
    }
  })
}

test_that("sparse and dense points meet", {
  expected <- scanned$other$l1
  for (found in list(bmo_knn(as_csc(dense), query, k = 4, metric = "l1"),
                     bmo_knn(dense, as_csc(query), k = 4, metric = "l1"),
                     bmo_knn(bmo_prepare(as_csc(dense)), as_csr(query), k = 4, metric = "l1"))) {
    expect_equal(found$index, expected$index)
    expect_equal(found$distance, expected$distance)
  }
})

test_that("points whose entries lie together are searched where they lie", {
  about <- summary(bmo_dataset(as_csc(t(dense)), byrow = FALSE))
  expect_identical(about[c("n", "d", "sparse", "type")], list(n = 120, d = 500, sparse = TRUE, type = "float64"))
  expect_identical(about$values, as.double(sum(dense != 0)))
  expect_identical(about$bytes_owned, 0)
  expect_gt(summary(bmo_dataset(as_csc(dense)))$bytes_owned, 0)
  expect_identical(summary(bmo_dataset(as_csr(dense)))$bytes_owned, 0)
  expect_output(print(bmo_dataset(as_csr(dense))), "120 points of 500 coordinates, [0-9.]+% of them not 0, float64")
})

test_that("other sparse matrices are made general", {
  square <- counts(30, 30)
  same <- function(matrix, values) {
    found <- bmo_knn(matrix, k = 3, metric = "l1")
    expected <- brute_force(as.matrix(values) + 0, k = 3, distance = l1)
    expect_identical(found$stats$box, "sparse")
    expect_equal(found$distance, expected$distance)
    expect_equal(found$index, expected$index)
  }
  symmetric <- Matrix::forceSymmetric(as_csc(square))
  expect_s4_class(symmetric, "dsCMatrix")
  same(symmetric, as.matrix(symmetric))
  same(methods::as(as_csc(square), "TsparseMatrix"), square)
  same(as_csc(square) > 0, square > 0)
  same(methods::as(as_csc(square), "nMatrix"), square != 0)
  same(Matrix::Diagonal(30), diag(30))
  same(Matrix::triu(as_csc(square)), as.matrix(Matrix::triu(as_csc(square))))
})

test_that("sparse data survive, and keep their values", {
  data <- as_csr(dense)
  expected <- bmo_knn(data, k = 3, metric = "l1")
  dataset <- bmo_dataset(data)
  data@x[] <- 1
  rm(data)
  gc()
  junk <- lapply(1:50, function(i) numeric(2400))
  expect_identical(bmo_knn(dataset, k = 3, metric = "l1")$distance, expected$distance)
})

test_that("values that are no numbers are refused by row and column", {
  wrong <- dense
  wrong[7, 9] <- NA
  place <- "data has NA at row 7, column 9; expected finite numbers"
  expect_error(bmo_knn(as_csc(wrong)), place, fixed = TRUE, class = "bmo_error")
  expect_error(bmo_knn(as_csr(wrong)), place, fixed = TRUE, class = "bmo_error")
  expect_error(bmo_knn(as_csc(wrong), byrow = FALSE), place, fixed = TRUE, class = "bmo_error")
})

test_that("broken sparse matrices are refused", {
  broken <- as_csr(dense)
  broken@j[3] <- 500L
  expect_error(bmo_knn(broken), "500", class = "bmo_error")
  short <- as_csr(dense)
  short@x <- short@x[-1]
  expect_error(bmo_knn(short), "slots of the sparse matrix do not fit", class = "bmo_error")
})
