# What a search for neighbors, "knn" or "radius", needs, as the library takes it. others: parameters by name; self: the numbers of
# the queries where they are points of the data; names: those of the queries; call: of the search, to whose end datasets last that
# are made here; among: see plan_candidates().
plan_search <- function(search, data, query, subset, byrow, metric, others, box, weights, seed, progress, call, among) {
  flag(progress, "progress")
  flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow, call)
  facts <- dataset_facts(data$pointer)
  wanted <- if (is.null(query)) own_queries(data, subset, facts[1]) else other_queries(query, subset, byrow, facts[2])
  among <- plan_candidates(among, facts[1], data$names, wanted$count)
  prepared <- facts[3] == 1
  prepares <- !prepared && needs_preparation(box)
  settings <- as_settings(
    c(list(metric = metric_name(metric), box = box), others, seed_for(seed, prepared)),
    if (prepares) c(search, "prepare") else search
  )
  weights <- if (is.null(weights)) data$weights else as_weights(weights)
  pointer <- data$pointer
  if (prepares) {
    pointer <- lasting(dataset_prepare(pointer, settings, weights, progress), call)
  }
  c(wanted, among, list(
    data = pointer, points = facts[1], settings = settings, weights = weights, metric = metric_function(metric)
  ))
}

# The seed as a setting. Prepared points have one of their own, which the library takes where none is set.
seed_for <- function(seed, prepared) {
  if (!is.null(seed)) {
    list(seed = seed)
  } else if (!prepared) {
    list(seed = draw_seed())
  }
}

needs_preparation <- function(box) {
  is.character(box) && length(box) == 1 && box %in% c("rotated", "projected", "sketch")
}

# What a search found, with what the methods of its class need to know of it.
answer <- function(found, class, search) {
  class(found) <- class
  attr(found, "self") <- search$self
  attr(found, "points") <- search$points
  attr(found, "weights") <- search$weights
  found
}

own_queries <- function(data, subset, n) {
  if (is.null(subset)) {
    return(list(count = n, self = seq_len(n), names = data$names))
  }
  subset <- row_numbers(subset, n, data$names, "subset")
  list(subset = subset, count = length(subset), self = as.integer(subset), names = data$names[subset])
}

# query: a pointer to a dataset, or a matrix.
other_queries <- function(query, subset, byrow, d) {
  if (!is.null(subset)) {
    refuse("subset", "subset and query were both given; expected one: subset names points of data")
  }
  if (inherits(query, "bmo_dataset")) {
    size <- dim(query)
    names <- query$names
    query <- query$pointer
  } else {
    query <- as_points(query, "query", byrow)
    size <- if (byrow) dim(query) else rev(dim(query))
    names <- dimnames(query)[[if (byrow) 1 else 2]]
  }
  if (size[2] != d) {
    refuse("query", "the points of query have %.0f coordinates; expected %.0f, as many as those of data", size[2], d)
  }
  list(query = query, count = size[1], names = names)
}

# One for all of so many queries, or one a query.
as_max_distance <- function(x, queries) {
  if (!is.numeric(x) || !length(x) %in% c(1, queries) || anyNA(x)) {
    refuse("max_distance", "max_distance is %s; expected a number, or one for each of %.0f queries", brief(x), queries)
  }
  if (queries == 0) Inf else as.double(x)
}
