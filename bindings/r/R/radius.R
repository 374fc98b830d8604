bmo_radius <- function(data, query = NULL, max_distance, metric = "l2", delta = 0.01, box = "auto", weights = NULL,
                       seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE, subset = NULL, max_pairs = 0,
                       candidates = NULL, labels = NULL, label_rule = NULL, query_labels = NULL) {
  if (missing(max_distance)) {
    refuse("max_distance", "max_distance is missing; expected a number, or one for each query")
  }
  max_pairs <- whole_number(max_pairs, "max_pairs", 0)
  search <- plan_search(
    "radius", data, query, subset, byrow, metric, list(delta = delta, threads = threads, ...), box, weights, seed, progress,
    environment(), list(candidates = candidates, labels = labels, label_rule = label_rule, query_labels = query_labels)
  )
  max_distance <- as_max_distance(max_distance, search$count)
  found <- radius_search(
    search$data, search$query, byrow, search$subset, max_distance, max_pairs, search$settings, search$weights, search$metric,
    search$among, search$labels, progress
  )
  names(found$index) <- names(found$distance) <- search$names
  answer(found, "bmo_radius", search)
}

print.bmo_radius <- function(x, n = 6L, ...) {
  n <- whole_number(n, "n", 0)
  found <- lengths(x$index)
  cat(sprintf("<bmo_radius> %.0f neighbors of %d among %.0f points, %s\n", sum(found), length(found), x$stats$arms,
              x$stats$metric))
  cat(sprintf("  %s; %s a full scan\n", promise(x$stats), gain_over(x$stats)))
  for (i in seq_len(min(n, length(found)))) {
    first <- seq_len(min(5L, found[i]))
    cells <- paste0(x$index[[i]][first], " (", signif(x$distance[[i]][first], 4), ")", recycle0 = TRUE)
    cat(sprintf("%s %s%s\n", names_of(names(x$index)[i], i), paste(cells, collapse = " "), if (found[i] > 5) sprintf(" and %d more", found[i] - 5L) else ""))
  }
  invisible(x)
}
