bmo_knn <- function(data, query = NULL, k = 10L, metric = "l2", delta = 0.01, epsilon = 0, box = "auto",
                    weights = NULL, seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE, subset = NULL) {
  byrow <- flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow)
  about <- dataset_describe(data$pointer)
  if (is.null(seed)) {
    seed <- if (about$prepared) about$seed else draw_seed()
  }
  weights <- if (is.null(weights)) data$weights else as_weights(weights)
  custom <- if (is.function(metric)) metric
  settings <- as_settings(list(
    metric = if (is.null(custom)) metric else "custom", delta = delta, epsilon = epsilon, box = box, seed = seed, threads = threads, ...
  ))
  k <- whole_number(k, "k", 1)
  self <- NULL
  if (is.null(query)) {
    subset <- if (!is.null(subset)) row_numbers(subset, about$n, "subset")
    self <- if (is.null(subset)) seq_len(about$n) else as.integer(subset)
  } else {
    if (!is.null(subset)) {
      refuse("subset", "subset and query were both given; expected one: subset names points of data")
    }
    query <- query_dataset(query, byrow, about$d)
  }
  found <- knn_search(data$pointer, query$pointer, subset, k, settings, weights, custom, flag(progress, "progress"))
  structure(found, class = "bmo_knn", self = self)
}

query_dataset <- function(query, byrow, d) {
  query <- as_dataset(query, "query", byrow)
  given <- dim(query)[2]
  if (given != d) {
    refuse("query", "the points of query have %.0f coordinates; expected %.0f, as many as those of data", given, d)
  }
  query
}

print.bmo_knn <- function(x, n = 6L, ...) {
  stats <- x$stats
  cat(sprintf("<bmo_knn> %d nearest of %.0f points for each of %d, %s\n",
              ncol(x$index), stats$arms, nrow(x$index), stats$metric))
  cat(sprintf("  %s; %s times fewer operations than a full scan\n", promise(stats), format(stats$gain, digits = 3)))
  if (nrow(x$index) > 0) {
    print(head_table(x, n), quote = FALSE, right = TRUE)
  }
  invisible(x)
}

head_table <- function(x, n) {
  rows <- seq_len(min(n, nrow(x$index)))
  ranks <- seq_len(min(5L, ncol(x$index)))
  cells <- paste0(x$index[rows, ranks], " (", signif(x$distance[rows, ranks], 4), ")")
  matrix(cells, length(rows), dimnames = list(sprintf("[%d]", rows), paste0("nearest", ranks)))
}

promise <- function(stats) {
  switch(stats$guarantee,
    exact = "exact: every distance was computed",
    proven = sprintf("proven: right with probability %s or more", format(1 - stats$delta, digits = 15)),
    conditional = sprintf("right with probability %s or more if %s",
                          format(1 - stats$delta, digits = 15), stats$assumption),
    heuristic = "heuristic: usually right, with no bound on the error",
    "nothing is promised"
  )
}

summary.bmo_knn <- function(object, ...) {
  structure(object$stats, class = "summary.bmo_knn", k = ncol(object$index))
}

print.summary.bmo_knn <- function(x, ...) {
  count <- function(value) format(value, big.mark = ",", scientific = FALSE)
  line <- function(name, ...) cat(sprintf("  %-12s %s\n", name, paste0(...)))
  cat(sprintf("%d nearest neighbours of %s queries among %s points\n", attr(x, "k"), count(x$queries), count(x$arms)))
  line("guarantee", promise(x))
  line("gain", format(x$gain, digits = 3))
  line("operations", count(x$coord_ops), " of the ", count(x$coord_ops_brute), " of a full scan")
  line("", count(x$pulls), " to sample, ", count(x$coord_ops_exact), " for ", count(x$exact_evals), " full distances")
  if (x$project_ops > 0) {
    line("", count(x$project_ops), " on the queries themselves")
  }
  line("method", if (x$reason == "") x$method else x$reason)
  line("settings", "metric ", x$metric, ", box ", x$box, ", bandit ", x$bandit, ", confidence ", x$confidence,
       ", sampling ", x$sampling)
  line("seed", format(x$seed, scientific = FALSE))
  line("time", format(x$seconds, digits = 3), " s with ", x$threads, if (x$threads == 1) " thread" else " threads")
  invisible(x)
}
