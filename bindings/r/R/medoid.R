bmo_medoid <- function(data, metric = "l2", delta = 0.01, weights = NULL, seed = NULL, threads = 1L, byrow = TRUE, ...,
                       progress = FALSE) {
  data <- as_dataset(data, "data", flag(byrow, "byrow"), environment())
  weights <- if (is.null(weights)) data$weights else as_weights(weights)
  settings <- as_settings(list(metric = metric_name(metric), delta = delta, threads = threads, ...), "medoid")
  found <- medoid_search(
    data$pointer, seed_text(seed, "medoid"), settings, weights, metric_function(metric), flag(progress, "progress")
  )
  name <- if (!is.null(data$names)) list(name = data$names[found$index])
  structure(c(found["index"], name, found[c("mean_distance", "stats")]), class = "bmo_medoid", weights = weights)
}

print.bmo_medoid <- function(x, ...) {
  cat(sprintf("<bmo_medoid> point %.0f%s of %.0f, mean distance %s to the others, %s\n", x$index,
              if (is.null(x$name)) "" else sprintf(" (%s)", x$name), x$stats$arms, format(x$mean_distance), x$stats$metric))
  cat(sprintf("  %s; %s computing every distance\n", promise(x$stats), gain_over(x$stats)))
  invisible(x)
}
