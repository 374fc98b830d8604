# What every search for neighbors needs, as the library takes it. others: parameters by name; self: the numbers of the queries
# where they are points of the data.
plan_search <- function(data, query, subset, byrow, metric, others, box, weights, seed, progress) {
  progress <- flag(progress, "progress")
  byrow <- flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow)
  about <- dataset_describe(data$pointer)
  weights <- if (is.null(weights)) data$weights else as_weights(weights)
  count <- about$n
  self <- NULL
  if (is.null(query)) {
    subset <- if (!is.null(subset)) row_numbers(subset, about$n, "subset")
    self <- if (is.null(subset)) seq_len(about$n) else as.integer(subset)
    count <- length(self)
  } else {
    if (!is.null(subset)) {
      refuse("subset", "subset and query were both given; expected one: subset names points of data")
    }
    query <- query_dataset(query, byrow, about$d)
    count <- dim(query)[1]
  }
  named <- as_settings(c(list(metric = metric_name(metric), box = box), others))
  if (box %in% c("rotated", "projected") && !about$prepared) {
    data <- bmo_prepare(data, box = box, seed = seed, threads = others$threads, metric = metric_name(metric), progress = progress)
    about <- dataset_describe(data$pointer)
    seed <- NULL # that of the preparation
  }
  settings <- c(named, unlist(as_settings(seed_for(seed, about)))) # no seed: an empty list
  list(
    data = data$pointer, query = query$pointer, subset = subset, count = count, self = self, settings = settings,
    weights = weights, metric = metric_function(metric), progress = progress
  )
}

query_dataset <- function(query, byrow, d) {
  query <- as_dataset(query, "query", byrow)
  given <- dim(query)[2]
  if (given != d) {
    refuse("query", "the points of query have %.0f coordinates; expected %.0f, as many as those of data", given, d)
  }
  query
}

# One for all of so many queries, or one a query.
as_max_distance <- function(x, queries) {
  if (!is.numeric(x) || !length(x) %in% c(1, queries) || anyNA(x)) {
    refuse("max_distance", "max_distance is %s; expected a number, or one for each of %.0f queries", brief(x), queries)
  }
  if (queries == 0) Inf else as.double(x)
}
