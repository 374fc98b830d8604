test_that("the defaults of every signature are those of the library's table", {
  table <- bmo_params()
  as_text <- function(value) if (is.character(value)) value else format(value)
  compared <- character()
  for (name in getNamespaceExports("bmo")) {
    signature <- formals(getExportedValue("bmo", name))
    for (parameter in intersect(names(signature), setdiff(table$name, "seed"))) {
      expect_identical(as_text(signature[[parameter]]), table$default[table$name == parameter], label = name)
      compared <- c(compared, parameter)
    }
  }
  expect_setequal(compared, c("metric", "delta", "epsilon", "box", "threads"))
})

test_that("every parameter of the table is taken by its name", {
  table <- bmo_params() # R matches "p" to an argument "progress" that stands before "..."
  expect_identical(anyDuplicated(table$name), 0L)
  expect_setequal(unique(table$type), c("choice", "integer", "real"))
  data <- matrix(as.double(1:12), 6)
  own <- names(formals(bmo_knn))
  for (row in which(!table$name %in% own)) {
    arguments <- list(data, k = 1, table$default[row])
    names(arguments)[3] <- table$name[row]
    expect_s3_class(do.call(bmo_knn, arguments), "bmo_knn")
  }
})

test_that("the library says what it is", {
  info <- bmo_info()
  expect_match(info$version, "^[0-9]+[.][0-9]+[.][0-9]+$")
  expect_true(info$threads >= 1)
  expect_true(nzchar(info$isa))
})
