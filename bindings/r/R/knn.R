bmo_knn <- function(data, query = NULL, k = 10L, metric = "l2", delta = 0.01, epsilon = 0, box = "auto",
                    weights = NULL, seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE, subset = NULL,
                    max_distance = NULL, get.distance = TRUE, candidates = NULL, labels = NULL, label_rule = NULL,
                    query_labels = NULL) {
  get.distance <- flag(get.distance, "get.distance")
  k <- whole_number(k, "k", 1)
  search <- plan_search(
    "knn", data, query, subset, byrow, metric, list(delta = delta, epsilon = epsilon, threads = threads, ...), box, weights, seed,
    progress, environment(), list(candidates = candidates, labels = labels, label_rule = label_rule, query_labels = query_labels)
  )
  max_distance <- if (!is.null(max_distance)) as_max_distance(max_distance, search$count)
  found <- knn_search(
    search$data, search$query, byrow, search$subset, k, max_distance, get.distance, search$settings, search$weights, search$metric,
    search$among, search$labels, progress
  )
  if (search$count == 0 || !is.null(search$names)) {
    for (part in c("index", if (get.distance) "distance")) {
      if (search$count == 0) { # with as many columns where there are no points to be fewer than k
        dim(found[[part]]) <- c(0L, as.integer(min(k, .Machine$integer.max)))
      }
      rownames(found[[part]]) <- search$names
    }
  }
  answer(found, "bmo_knn", search)
}

# In the call of an error there are names, not all of the values.
metric_function <- function(metric) {
  if (is.function(metric)) function(a, b, j) metric(a, b, j)
}

# The library's name for a metric. Other packages have other names for the same.
metric_name <- function(metric) {
  if (is.function(metric)) {
    return("custom")
  }
  if (!is.character(metric) || length(metric) != 1) {
    return(metric)
  }
  switch(metric,
    euclidean = , Euclidean = "l2",
    manhattan = , Manhattan = "l1",
    Cosine = "cosine",
    ip = refuse("metric", "metric is \"ip\", which is \"inner_product\" here"), # RcppHNSW's is 1 more
    custom = refuse("metric", "metric is \"custom\"; expected in its place a function of a, b and j"),
    known_metric(metric)
  )
}

known_metric <- function(metric) {
  known <- known_metrics()
  if (!metric %in% c(known, "l2sq")) {
    refuse("metric", "metric is \"%s\"; expected one of: %s, or a function", metric, paste(known, collapse = " "))
  }
  metric
}

# The library's own, asked for once a session: a lone query would feel asking.
known_metrics <- function() {
  if (is.null(kept$metrics)) {
    table <- parameter_table()
    kept$metrics <- setdiff(strsplit(table$choices[table$name == "metric"], "|", fixed = TRUE)[[1]], "custom")
  }
  kept$metrics
}

kept <- new.env(parent = emptyenv())

print.bmo_knn <- function(x, n = 6L, ...) {
  stats <- x$stats
  n <- whole_number(n, "n", 0)
  cat(sprintf("<bmo_knn> %d nearest of %.0f points for each of %d, %s%s\n", ncol(x$index), stats$arms, nrow(x$index),
              stats$metric, if (anyNA(x$index)) sprintf("; %.0f found", stats$neighbors) else ""))
  cat(sprintf("  %s; %s a full scan\n", promise(stats), gain_over(stats)))
  if (nrow(x$index) > 0 && n > 0) {
    print(head_table(x, n), quote = FALSE, right = TRUE)
  }
  invisible(x)
}

head_table <- function(x, n) {
  rows <- seq_len(min(n, nrow(x$index)))
  ranks <- seq_len(min(5L, ncol(x$index)))
  cells <- if (is.null(x$distance)) {
    as.character(x$index[rows, ranks])
  } else {
    paste0(x$index[rows, ranks], " (", signif(x$distance[rows, ranks], 4), ")")
  }
  cells[is.na(x$index[rows, ranks])] <- "-"
  matrix(cells, length(rows), dimnames = list(names_of(rownames(x$index)[rows], rows), paste0("nearest", ranks)))
}

# Of queries, where they are printed.
names_of <- function(names, numbers) {
  if (is.null(names)) sprintf("[%d]", numbers) else names
}

gain_over <- function(stats) {
  if (!is.finite(stats$gain) || signif(stats$gain, 3) == 1) {
    "as many operations as"
  } else if (stats$gain < 1) {
    paste(format(1 / stats$gain, digits = 3), "times as many operations as")
  } else {
    paste(format(stats$gain, digits = 3), "times fewer operations than")
  }
}

promise <- function(stats) {
  switch(stats$guarantee,
    exact = "exact: every distance was computed, or ruled out for certain",
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
  cat(sprintf("%d nearest neighbors of %s queries among %s points\n", attr(x, "k"), count(x$queries), count(x$arms)))
  line("guarantee", promise(x))
  line("gain", if (is.finite(x$gain)) format(x$gain, digits = 3) else "-")
  line("operations", count(x$coord_ops), " of the ", count(x$coord_ops_brute), " of a full scan")
  line("", count(x$coord_ops_sampled), " to sample, ", count(x$coord_ops_exact), " for ", count(x$exact_evals), " full distances")
  if (x$projection_ops > 0) {
    line("", count(x$projection_ops), " on the queries themselves")
  }
  if (x$arms_pruned > 0) {
    line("candidates", count(x$arms_pruned), " of ", count(x$queries * x$arms), " fell by bounds, without a sample")
  }
  line("method", if (x$reason == "") x$method else x$reason)
  line("settings", "metric ", x$metric, ", box ", x$box, ", bandit ", x$bandit, ", confidence ", x$confidence,
       ", sampling ", x$sampling)
  line("seed", setting_text("seed", x$seed))
  line("time", format(x$seconds, digits = 3), " s with ", x$threads, if (x$threads == 1) " thread" else " threads")
  invisible(x)
}
