# What every search for neighbors needs, as the library takes it. others: parameters by name; self: the numbers of the queries
# where they are points of the data; names: those of the queries; call: of the search, to whose end datasets last that are made here.
plan_search <- function(data, query, subset, byrow, metric, others, box, weights, seed, progress, call) {
  progress <- flag(progress, "progress")
  byrow <- flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow, call)
  size <- dataset_size(data$pointer)
  weights <- if (is.null(weights)) data$weights else as_weights(weights)
  self <- NULL
  if (is.null(query)) {
    subset <- if (!is.null(subset)) row_numbers(subset, size[1], "subset")
    self <- if (is.null(subset)) seq_len(size[1]) else as.integer(subset)
    count <- length(self)
    names <- if (is.null(subset)) data$names else data$names[subset]
  } else {
    if (!is.null(subset)) {
      refuse("subset", "subset and query were both given; expected one: subset names points of data")
    }
    query <- query_dataset(query, byrow, size[2], call)
    count <- dataset_size(query$pointer)[1]
    names <- query$names
  }
  metric_text <- metric_name(metric)
  named <- c(list(metric = metric_text, box = box), others)
  prepared <- dataset_prepared(data$pointer)
  if (!prepared && box %in% c("rotated", "projected", "sketch")) {
    as_settings(named) # refuses before it prepares
    data <- lasting(
      bmo_prepare(data, box = box, seed = seed, threads = others$threads, metric = metric_text, progress = progress), call
    )
    prepared <- TRUE
    seed <- NULL # that of the preparation
  }
  settings <- as_settings(c(named, seed_for(seed, prepared)))
  list(
    data = data$pointer, query = query$pointer, subset = subset, count = count, self = self, names = names, settings = settings,
    weights = weights, metric = metric_function(metric), progress = progress
  )
}

query_dataset <- function(query, byrow, d, call) {
  query <- as_dataset(query, "query", byrow, call)
  given <- dataset_size(query$pointer)[2]
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
