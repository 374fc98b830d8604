bmo_dataset <- function(data, byrow = TRUE) {
  as_dataset(data, "data", flag(byrow, "byrow"))
}

bmo_load <- function(file, map = FALSE, progress = FALSE, byrow = TRUE) {
  pointer <- dataset_open(file_name(file), flag(map, "map"), flag(byrow, "byrow"), flag(progress, "progress"))
  new_dataset(pointer, loaded = TRUE)
}

bmo_save <- function(data, file, byrow = TRUE, progress = FALSE) {
  data <- as_dataset(data, "data", flag(byrow, "byrow"), environment())
  dataset_save(data$pointer, file_name(file), flag(progress, "progress"))
  invisible(file)
}

file_name <- function(file) {
  if (!is.character(file) || length(file) != 1 || is.na(file)) {
    refuse("file", "file is %s; expected the name of a file", brief(file))
  }
  if (file == "") {
    refuse("file", "file is \"\"; expected the name of a file")
  }
  path.expand(enc2native(file))
}

bmo_prepare <- function(data, box = "auto", weights = NULL, seed = NULL, threads = 1L, byrow = TRUE, ..., progress = FALSE) {
  data <- as_dataset(data, "data", flag(byrow, "byrow"), environment())
  settings <- list(box = box, seed = if (is.null(seed)) draw_seed() else seed, threads = threads, ...)
  if (!is.null(settings$metric)) {
    settings$metric <- prepared_metric(settings$metric)
  }
  settings <- as_settings(settings, "prepare")
  weights <- if (!is.null(weights)) as_weights(weights)
  pointer <- dataset_prepare(data$pointer, settings, weights, flag(progress, "progress"))
  new_dataset(pointer, data$names, data$coordinates, weights)
}

prepared_metric <- function(metric) {
  if (is.function(metric)) {
    refuse("metric", "metric is a function, for which nothing of its own is prepared: leave it out, and set box to dense")
  }
  metric_name(metric)
}

# names, coordinates: of the points and their coordinates; weights: what it was prepared with, which a search must have, too;
# loaded: from a file, which alone knows its weights.
new_dataset <- function(pointer, names = NULL, coordinates = NULL, weights = NULL, loaded = FALSE) {
  made <- list(pointer = pointer, names = names, coordinates = coordinates, weights = weights, loaded = loaded)
  class(made) <- "bmo_dataset"
  made
}

# call: the environment of a function's call, to whose end a dataset lasts that is made here; NULL: as long as R refers to it.
as_dataset <- function(x, what, byrow, call = NULL) {
  if (inherits(x, "bmo_dataset")) {
    return(x)
  }
  x <- as_points(x, what, byrow)
  pointer <- dataset_make(x, byrow, what)
  made <- new_dataset(pointer, dimnames(x)[[if (byrow) 1 else 2]], dimnames(x)[[if (byrow) 2 else 1]])
  if (!is.null(call)) {
    lasting(pointer, call)
  }
  made
}

# Freed when the call ends, however it does.
lasting <- function(pointer, call) {
  do.call(on.exit, list(as.call(list(dataset_free, pointer)), add = TRUE), envir = call)
  pointer
}

# Points alone are chosen, as the rows of a matrix are: by numbers, negative numbers (all others), names, or TRUE and FALSE.
`[.bmo_dataset` <- function(x, i, j, ..., drop = FALSE) {
  places <- nargs() - (!missing(drop)) # of x, i and j: data[i] has two
  if (!missing(j) || places != 3) {
    refuse("j", "a dataset is indexed by its points; expected data[i, ]")
  }
  if (missing(i)) {
    return(x)
  }
  rows <- chosen_points(i, dim(x)[1], x$names)
  new_dataset(dataset_subset(x$pointer, rows), x$names[rows], x$coordinates, x$weights, x$loaded)
}

chosen_points <- function(i, n, names) {
  left_out <- is.numeric(i) && length(i) > 0 && !anyNA(i) && all(i < 0)
  rows <- row_numbers(if (left_out) -i else i, n, names, "i")
  if (left_out) setdiff(as.double(seq_len(n)), rows) else rows
}

dim.bmo_dataset <- function(x) {
  dataset_facts(x$pointer)[1:2]
}

dimnames.bmo_dataset <- function(x) {
  if (is.null(x$names) && is.null(x$coordinates)) NULL else list(x$names, x$coordinates)
}

as.matrix.bmo_dataset <- function(x, ...) {
  points <- dataset_points(x$pointer)
  dimnames(points) <- dimnames(x)
  points
}

print.bmo_dataset <- function(x, ...) {
  about <- dataset_describe(x$pointer)
  filled <- if (about$sparse) sprintf(", %.3g%% of them not 0", 100 * about$values / about$n / about$d) else ""
  cat(sprintf("<bmo_dataset> %.0f points of %.0f coordinates%s, %s\n", about$n, about$d, filled, about$type))
  if (about$prepared) {
    cat(sprintf("  prepared for the %s box with seed %s%s\n", about$box, setting_text("seed", about$seed),
                if (is.null(x$weights)) "" else ", with weights"))
  }
  cat(sprintf("  memory: %s its own, %s of others\n", size(about$bytes_owned), size(about$bytes_borrowed)))
  invisible(x)
}

summary.bmo_dataset <- function(object, ...) {
  given <- weights(object)
  c(dataset_describe(object$pointer), weighted = if (identical(given, NA_real_)) NA else !is.null(given))
}

# NA: a file that was prepared does not tell them.
weights.bmo_dataset <- function(object, ...) {
  if (object$loaded && dataset_facts(object$pointer)[3] == 1) NA_real_ else object$weights
}

weights.bmo_knn <- weights.bmo_medoid <- weights.bmo_radius <- function(object, ...) {
  attr(object, "weights")
}

size <- function(bytes) {
  format(structure(bytes, class = "object_size"), units = "auto", standard = "SI")
}
