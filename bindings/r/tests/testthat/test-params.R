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

# Without these the parameter does not count.
needs <- list(
  p = list(metric = "lp"), sigma = list(confidence = "subgaussian", bandit = "lucb"), uniform_pulls = list(method = "uniform"),
  init_pulls = list(bandit = "lucb"), arms_per_round = list(bandit = "ucb"), pulls_per_round = list(bandit = "lucb"),
  max_pulls = list(bandit = "lucb")
)

test_that("every parameter of the table is taken by its name, in the calls that read it", {
  table <- bmo_params() # R matches "p" to an argument "progress" that stands before "..."
  expect_identical(anyDuplicated(table$name), 0L)
  expect_setequal(unique(table$type), c("choice", "integer", "real"))
  data <- matrix(as.double(1:12), 6)
  pull <- function(arms, m) matrix(arms, length(arms), m)
  required <- list(
    knn = list(data = data, k = 1), radius = list(data = data, max_distance = 1), kmeans = list(data = data, centers = 2),
    medoid = list(data = data), best_arms = list(pull = pull, n = 3, max_pulls = 9), prepare = list(data = data)
  )
  for (row in seq_len(nrow(table))) {
    name <- table$name[row]
    with_it <- needs[[name]]
    with_it[[name]] <- if (name == "sigma") 1 else table$default[row]
    for (call in strsplit(table$calls[row], "|", fixed = TRUE)[[1]]) {
      found <- do.call(paste0("bmo_", call), utils::modifyList(required[[call]], as.list(with_it)))
      expect_s3_class(found, if (call == "prepare") "bmo_dataset" else paste0("bmo_", call))
    }
  }
})

test_that("the table tells which calls read a parameter", {
  table <- bmo_params()
  calls <- strsplit(table$calls, "|", fixed = TRUE)
  names(calls) <- table$name
  expect_setequal(unlist(calls), c("knn", "radius", "kmeans", "medoid", "best_arms", "prepare"))
  expect_identical(calls$expected_queries, "prepare")
  expect_identical(calls$epsilon, c("knn", "best_arms"))
  expect_identical(calls$seed, c("knn", "radius", "kmeans", "medoid", "best_arms", "prepare"))
  own <- list(
    knn = bmo_knn, radius = bmo_radius, kmeans = bmo_kmeans, medoid = bmo_medoid, best_arms = bmo_best_arms, prepare = bmo_prepare
  )
  for (call in names(own)) { # what a signature has is never refused
    for (parameter in intersect(names(formals(own[[call]])), table$name)) {
      expect_true(call %in% calls[[parameter]], label = paste(call, parameter))
    }
  }
})

test_that("the library says what it is", {
  info <- bmo_info()
  expect_match(info$version, "^[0-9]+[.][0-9]+[.][0-9]+$")
  expect_true(info$threads >= 1)
  expect_true(nzchar(info$isa))
})
