data <- matrix(as.double(1:40), 10)

expect_refused <- function(call, message) {
  error <- tryCatch(call, error = identity)
  testthat::expect_s3_class(error, "bmo_error")
  testthat::expect_identical(conditionMessage(error), message)
}

test_that("values that are no numbers are refused by row and column", {
  wrong <- function(value) replace(data, cbind(3, 2), value)
  expect_refused(bmo_knn(wrong(NA)), "data has NA at row 3, column 2; expected finite numbers")
  expect_refused(bmo_knn(wrong(NaN)), "data has NaN at row 3, column 2; expected finite numbers")
  expect_refused(bmo_knn(wrong(-Inf)), "data has -Inf at row 3, column 2; expected finite numbers")
  expect_refused(bmo_knn(data, wrong(Inf)), "query has Inf at row 3, column 2; expected finite numbers")
  expect_refused(bmo_knn(wrong(NA), byrow = FALSE), "data has NA at row 3, column 2; expected finite numbers")
  integers <- wrong(NA)
  storage.mode(integers) <- "integer"
  expect_refused(bmo_dataset(integers), "data has NA at row 3, column 2; expected finite numbers")
  expect_refused(bmo_dataset(integers, byrow = FALSE), "data has NA at row 3, column 2; expected finite numbers")
  expect_refused(bmo_dataset(integers > 4), "data has NA at row 3, column 2; expected finite numbers")
  expect_refused(bmo_dataset(as.data.frame(integers)), "data has NA at row 3, column 2; expected finite numbers")
})

test_that("the error carries the place", {
  error <- tryCatch(bmo_knn(replace(data, 13, NA)), error = identity)
  expect_identical(error[c("status", "argument", "row", "col")],
                   list(status = "BMO_ENONFINITE", argument = "data", row = 3, col = 2))
})

test_that("columns of a data frame that are no numbers are named", {
  frame <- data.frame(a = 1:3, kind = factor(c("x", "y", "x")), text = c("p", "q", "r"))
  expect_refused(bmo_knn(frame), 'column "kind" of data is of class "factor"; expected numbers')
  expect_refused(bmo_knn(frame[-2]), 'column "text" of data is a vector of type character and length 3; expected numbers')
  frame <- data.frame(a = 1:2)
  frame$list <- list(1, 2)
  expect_refused(bmo_knn(frame), 'column "list" of data is of type list; expected numbers')
  frame$list <- matrix(1:4, 2)
  expect_refused(bmo_knn(frame), 'column "list" of data is a matrix of type integer; expected numbers')
})

test_that("what is no numeric matrix is refused", {
  expect_refused(bmo_knn(1:3), "data is a vector of type integer and length 3; expected a matrix: for a single point matrix(data, nrow = 1)")
  expect_refused(bmo_knn(NULL), "data is NULL; expected a matrix")
  expect_refused(bmo_knn(matrix("a")), "data is a matrix of type character; expected numbers")
  expect_refused(bmo_knn(matrix(1i)), "data is a matrix of type complex; expected numbers")
  expect_refused(bmo_knn(data, sum), "query is of type builtin; expected a matrix")
  expect_refused(bmo_knn(array(1, c(2, 2, 2))), "data is an array of type double with 3 dimensions; expected a matrix")
  expect_refused(bmo_knn(data[, 0]), "data has no columns; expected a coordinate or more")
  expect_refused(bmo_knn(data, data[, 0]), "query has no columns; expected a coordinate or more")
  expect_refused(bmo_dataset(data[0, ], byrow = FALSE), "data has no rows; expected a coordinate or more")
})

test_that("what holds a matrix is told how to give it", {
  for (class in c("SummarizedExperiment", "DelayedArray")) {
    methods::setClass(class, slots = c(values = "matrix"), where = environment())
  }
  expect_refused(bmo_knn(methods::new("SummarizedExperiment")), paste(
    'data is of class "SummarizedExperiment"; expected a matrix: for a cell a column assay(data) with byrow = FALSE,',
    "for one a row reducedDim(data)"
  ))
  expect_refused(bmo_knn(data, methods::new("DelayedArray")), paste(
    'query is of class "DelayedArray"; expected a matrix: as.matrix(query), or as(query, "dgCMatrix") if it is sparse'
  ))
})

test_that("sizes that do not fit are refused", {
  expect_refused(bmo_knn(data, k = 10), "k is 10; expected 1 to 9, the candidates of a query")
  expect_refused(bmo_knn(data, data, k = 11), "k is 11; expected 1 to 10, the candidates of a query")
  expect_refused(bmo_knn(data, k = 1e15), "k is 1000000000000000; expected 1 to 9, the candidates of a query")
  for (k in list(0, -1, 1.5, NA, "1", 1:2, NULL)) {
    expect_refused(bmo_knn(data, k = k), sprintf("k is %s; expected a whole number from 1 on", deparse(k)))
  }
  expect_refused(bmo_knn(data, data[, 1:3]), "the points of query have 3 coordinates; expected 4, as many as those of data")
  expect_refused(bmo_knn(data, subset = 11), "subset has 11; expected whole numbers from 1 to 10")
  expect_refused(bmo_knn(data, subset = c(1, NA)), "subset has NA; expected whole numbers from 1 to 10")
  expect_refused(bmo_knn(data, data, subset = 1), "subset and query were both given; expected one: subset names points of data")
})

test_that("parameters are refused by their names", {
  known <- toString(subset(bmo_params(), grepl("knn", calls))$name)
  expect_refused(bmo_knn(data, sigmma = 1), sprintf('there is no parameter "sigmma"; expected one of %s', known))
  expect_refused(bmo_knn(data, NULL, 3, "l2", 0.01, 0, "auto", NULL, NULL, 1, TRUE, 7),
                 sprintf("an argument in ... has no name; expected parameters by name: %s", known))
  expect_refused(bmo_prepare(data, seed = 1, p = 2, p = 3), "p was given twice")
  expect_refused(bmo_knn(data, delta = NA), "delta is NA; expected a single number or text")
  expect_refused(bmo_knn(data, threads = 1:2), "threads is 1:2; expected a single number or text")
  expect_refused(bmo_knn(data, progress = 1), "progress is 1; expected TRUE or FALSE")
  expect_refused(bmo_knn(data, byrow = NA), "byrow is NA; expected TRUE or FALSE")
  error <- tryCatch(bmo_knn(data, metric = "hamming"), error = identity)
  expect_match(conditionMessage(error), "metric is \"hamming\"; expected one of: l2 .* inner_product, or a function$")
  expect_identical(error$argument, "metric")
  expect_refused(bmo_knn(data, k = 10, box = "rotated"), "k is 10; expected 1 to 9, the candidates of a query")
  expect_refused(bmo_knn(data, k = 2, delta = NaN), "delta is NaN; expected a single number or text")
  expect_refused(bmo_knn(data, metric = "ip"), 'metric is "ip", which is "inner_product" here')
  expect_refused(bmo_knn(data, metric = "custom"), 'metric is "custom"; expected in its place a function of a, b and j')
  expect_refused(bmo_knn(data, k = 2, delta = 0), "delta is 0; expected a number from 1e-300 to 0.5")
  expect_refused(bmo_knn(data, k = 2, delta = 0.6), "delta is 0.6; expected a number from 1e-300 to 0.5")
  expect_refused(bmo_knn(data, k = 2, delta = Inf), "delta is Inf; expected a number from 1e-300 to 0.5")
  expect_refused(bmo_knn(data, k = 2, seed = 1e17), "seed is 1e+17; expected a number from -2^53 to 2^53, or a text of digits")
})

test_that("weights that are none are refused, counted from 1", {
  error <- tryCatch(bmo_knn(data, weights = c(1, 2, -3, 4)), error = identity)
  expect_match(conditionMessage(error), "weights[3] is -3; expected ", fixed = TRUE)
  expect_refused(bmo_knn(data, weights = c(1, 2)),
                 "weights has 2 values; expected 4, one a coordinate")
  expect_refused(bmo_knn(data, weights = numeric()), "weights is empty; expected NULL, or a number for each coordinate")
  expect_refused(bmo_knn(data, weights = "a"), 'weights is "a"; expected a number for each coordinate')
  prepared <- bmo_prepare(data, seed = 1)
  error <- tryCatch(bmo_knn(prepared, weights = 1:4), error = identity)
  expect_match(conditionMessage(error), "the dataset was prepared with no weights", fixed = TRUE)
})

test_that("files that cannot be read are refused", {
  missing <- file.path(tempdir(), "none.npy")
  error <- tryCatch(bmo_load(missing), error = identity)
  expect_identical(error$status, "BMO_EIO")
  expect_match(conditionMessage(error), missing, fixed = TRUE)
  expect_identical(error$argument, "file")
  expect_refused(bmo_load(NA), "file is NA; expected the name of a file")
  expect_refused(bmo_load(""), "file is \"\"; expected the name of a file")
})

test_that("distances beyond double are refused by points counted from 1", {
  far <- matrix(c(-1e308, 1e308, 1e308, -1e308), 2)
  expect_refused(bmo_knn(far, k = 1), "the distance of query 1 to point 2 is beyond the range of double; scale the data down")
  expect_refused(bmo_medoid(far), "the distance of point 1 to point 2 is beyond the range of double; scale the data down")
  expect_identical(tryCatch(bmo_medoid(far), error = identity)$argument, "data")
  expect_identical(tryCatch(bmo_medoid(data[0, ]), error = identity)$argument, "data")
})

test_that("slots of a sparse matrix that do not fit are refused", {
  broken <- Matrix::Matrix(data, sparse = TRUE)
  broken@i[2] <- 99L
  expect_refused(bmo_dataset(broken), "data@i[2], of coordinate 1, is 99; expected 0 to 9: see validObject(data)")
  expect_refused(bmo_knn(data, broken), "query@i[2], of coordinate 1, is 99; expected 0 to 9: see validObject(query)")
  broken <- methods::as(Matrix::Matrix(data, sparse = TRUE), "RsparseMatrix")
  broken@j[6] <- 4L
  expect_refused(bmo_dataset(broken), "data@j[6], of point 2, is 4; expected 0 to 3: see validObject(data)")
  broken@p[3] <- 1L
  expect_refused(bmo_dataset(broken), "data@p[3] is 1; expected 4 to 40: see validObject(data)")
})

test_that("marks of a message become words of R, and places count from 1", {
  # Pieces, for "\21" would be another character.
  marked <- paste0(
    "\1arms.exact_cost\3: point \2", "17\3, coordinate \2", "0\3\4 (counted from 0)\3 is 3; ",
    "call \1bmo_dataset_prepare()\3, \1bmo_new()\3 \2", "2147483647\3"
  )
  expect_identical(in_words_of_r(marked), "exact_cost: point 18, coordinate 1 is 3; call bmo_prepare(), bmo_new() 2147483648")
  expect_identical(in_words_of_r(marked, c("bmo_new()" = "renewed")),
                   "arms.exact_cost: point 18, coordinate 1 is 3; call bmo_dataset_prepare(), renewed 2147483648")
  expect_identical(in_words_of_r("no marks: 1 \u00e9"), "no marks: 1 \u00e9")
})

test_that("parameters that do not count are refused, in every call", {
  not_here <- "p is 3, which does not count here; expected none, or metric lp"
  expect_refused(bmo_knn(data, k = 2, p = 3), not_here)
  expect_refused(bmo_graph(data, k = 2, p = 3), not_here)
  expect_refused(bmo_radius(data, max_distance = 1, p = 3), not_here)
  expect_refused(bmo_medoid(data, p = 3), not_here)
  expect_refused(bmo_prepare(data, p = 3), not_here)
  expect_refused(bmo_knn(data, k = 2, box = "rotated", p = 3), not_here)
  never <- "%s, which does not count in this call; expected none"
  expect_refused(bmo_kmeans(data, 2, p = 3), sprintf(never, "p is 3"))
  expect_refused(bmo_kmeans(data, 2, delta = 0.1), sprintf(never, "delta is 0.1"))
  expect_refused(bmo_medoid(data, epsilon = 1), sprintf(never, "epsilon is 1"))
  expect_refused(bmo_radius(data, max_distance = 1, epsilon = 1), sprintf(never, "epsilon is 1"))
  expect_refused(bmo_prepare(data, epsilon = 0), sprintf(never, "epsilon is 0"))
  expect_refused(bmo_knn(data, k = 2, expected_queries = 5), sprintf(never, "expected_queries is 5"))
  expect_refused(bmo_knn(data, k = 2, box = "rotated", expected_queries = 5),
                 "expected_queries is 5, which does not count here; expected none, or box auto")
  toss <- function(arms, m) matrix(0.5, length(arms), m)
  for (given in list(list(metric = "l1"), list(threads = 2), list(sampling = "importance"))) {
    expect_refused(do.call(bmo_best_arms, c(list(toss, n = 3), given)), sprintf(never, paste(names(given), "is", given[[1]])))
  }
  error <- tryCatch(bmo_knn(data, k = 2, sigma = 1), error = identity)
  expect_identical(error[c("status", "argument")], list(status = "BMO_EINVAL", argument = "sigma"))
  dataset <- bmo_dataset(data) # whose last query had the same parameters, but was for another call
  bmo_knn(dataset, k = 2, seed = 1)
  expect_refused(bmo_radius(dataset, max_distance = 1, epsilon = 0, seed = 1), sprintf(never, "epsilon is 0"))
})
