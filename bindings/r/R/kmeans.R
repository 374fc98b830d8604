bmo_kmeans <- function(data, centers, iter.max = 100L, nstart = 1L, init = c("plusplus", "random"), tol = 0, metric = "l2",
                       seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE) {
  byrow <- flag(byrow, "byrow")
  data <- as_dataset(data, "data", byrow)
  about <- dataset_describe(data$pointer)
  start <- start_centers(centers, about$d, byrow)
  if (is.null(seed)) {
    seed <- if (about$prepared) about$seed else draw_seed()
  }
  settings <- as_settings(list(metric = metric, seed = seed, threads = threads, ...))
  found <- kmeans_run(
    data$pointer, if (is.null(start)) whole_number(centers, "centers", 1) else nrow(start), start,
    c(plusplus = 0L, random = 1L)[[match.arg(init)]], small_number(nstart, "nstart"), whole_number(iter.max, "iter.max", 1),
    non_negative(tol, "tol"), settings, flag(progress, "progress")
  )
  names(found$cluster) <- data$names
  if (!byrow) {
    found$centers <- t(found$centers)
  }
  found$size <- tabulate(found$cluster, if (byrow) nrow(found$centers) else ncol(found$centers))
  structure(found[c("cluster", "centers", "tot.withinss", "size", "iter", "stats")], class = "bmo_kmeans")
}

# Centres that were given, one a row; NULL where centers is their number.
start_centers <- function(centers, d, byrow) {
  if (length(dim(centers)) != 2) {
    return(NULL)
  }
  if (!is.numeric(centers)) {
    refuse("centers", "centers is %s; expected a number of centres, or a matrix of them", kind_of(centers))
  }
  start <- if (byrow) centers else t(centers)
  if (ncol(start) != d) {
    refuse("centers", "the centers have %.0f coordinates; expected %.0f, as many as those of data", ncol(start), d)
  }
  storage.mode(start) <- "double"
  start
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
  cat(sprintf("<bmo_kmeans> %d points around %d centres after %.0f moves, tot.withinss %s\n",
              length(x$cluster), length(x$size), x$iter, format(x$tot.withinss)))
  cat(sprintf("  %s times fewer operations than computing every distance; sizes: %s\n", format(x$stats$gain, digits = 3),
              paste(x$size[seq_len(min(10L, length(x$size)))], collapse = " ")))
  invisible(x)
}
