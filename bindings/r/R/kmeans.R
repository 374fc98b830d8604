bmo_kmeans <- function(data, centers, iter.max = 100L, nstart = 1L, init = c("plusplus", "random"), tol = 0, metric = "l2",
                       seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE) {
  byrow <- flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow, environment())
  start <- start_centers(centers, dim(data)[2], byrow)
  if (is.function(metric)) {
    refuse("metric", "metric is a function; expected l2 or sqeuclidean, for which a center is the mean of its points")
  }
  settings <- as_settings(list(metric = metric_name(metric), threads = threads, ...), "kmeans")
  seed <- seed_text(seed, "kmeans")
  nstart <- small_number(nstart, "nstart")
  if (!is.null(start) && nstart > 1) {
    refuse("nstart", "nstart is %d; expected 1 where centers is a matrix", nstart)
  }
  run <- function() {
    kmeans_run(
      data$pointer, if (is.null(start)) whole_number(centers, "centers", 1) else nrow(start), start,
      c(plusplus = 0L, random = 1L)[[init]], nstart, whole_number(iter.max, "iter.max", 1), non_negative(tol, "tol"), seed,
      settings, flag(progress, "progress")
    )
  }
  init <- match.arg(init)
  found <- without_weights(
    if (is.null(start)) run() else with_places_of(if (byrow) start else t(start), "centers", byrow, run())
  )
  names(found$cluster) <- data$names
  colnames(found$centers) <- data$coordinates
  if (!byrow) {
    found$centers <- t(found$centers)
  }
  found$betweenss <- found$totss - found$tot.withinss
  components <- c("cluster", "centers", "totss", "withinss", "tot.withinss", "betweenss", "size", "iter", "stats")
  structure(found[components], class = "bmo_kmeans", byrow = byrow)
}

fitted.bmo_kmeans <- function(object, method = c("centers", "classes"), ...) {
  if (match.arg(method) == "classes") {
    object$cluster
  } else if (attr(object, "byrow")) {
    object$centers[object$cluster, , drop = FALSE]
  } else {
    object$centers[, object$cluster, drop = FALSE]
  }
}

predict.bmo_kmeans <- function(object, newdata, byrow = attr(object, "byrow"), threads = 1L, ...) {
  centers <- bmo_dataset(object$centers, byrow = attr(object, "byrow"))
  nearest <- bmo_knn(centers, newdata, k = 1L, method = "exact", byrow = byrow, threads = threads, get.distance = FALSE)
  nearest$index[, 1]
}

# Centers that were given, one a row; NULL where centers is their number.
start_centers <- function(centers, d, byrow) {
  if (length(dim(centers)) != 2) {
    return(NULL)
  }
  centers <- as.matrix(as_points(centers, "centers", byrow))
  start <- if (byrow) centers else t(centers)
  if (ncol(start) != d) {
    refuse("centers", "the centers have %.0f coordinates; expected %.0f, as many as those of data", ncol(start), d)
  }
  storage.mode(start) <- "double"
  start
}

# There is no argument for weights: they can only be those of the preparation, which a file may have, too.
without_weights <- function(call) {
  tryCatch(call, bmo_error = function(error) {
    if (error$argument == "weights") {
      refuse("data", "data was prepared with weights, which k-means does not take; expected the points as they were, or bmo_prepare(data)")
    }
    stop(error)
  })
}

small_number <- function(x, what) {
  x <- whole_number(x, what, 1)
  if (x > .Machine$integer.max) {
    refuse(what, "%s is %.0f; expected at most %d", what, x, .Machine$integer.max)
  }
  as.integer(x)
}

non_negative <- function(x, what) {
  if (!is.numeric(x) || length(x) != 1 || is.na(x) || x < 0) {
    refuse(what, "%s is %s; expected a number from 0 on", what, brief(x))
  }
  as.double(x)
}

print.bmo_kmeans <- function(x, ...) {
  cat(sprintf("<bmo_kmeans> %d points around %d centers after %.0f moves, tot.withinss %s\n",
              length(x$cluster), length(x$size), x$iter, format(x$tot.withinss)))
  cat(sprintf("  %s computing every distance; sizes: %s\n", gain_over(x$stats),
              paste(x$size[seq_len(min(10L, length(x$size)))], collapse = " ")))
  invisible(x)
}
