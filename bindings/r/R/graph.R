bmo_graph <- function(data, k = 10L, byrow = TRUE, ..., as = c("dgCMatrix", "bmo_knn")) {
  as <- match.arg(as)
  given <- names(list(...))
  if (...length() > 0 && (is.null(given) || any(given == ""))) {
    refuse("...", "an argument in ... has no name; expected arguments of bmo_knn() by name")
  }
  for (name in c("query", "subset")) {
    if (any(startsWith(name, as.character(given)))) {
      refuse(name, "a graph joins all points of the data: it takes no %s", name)
    }
  }
  names <- NULL
  if (inherits(data, "bmo_knn")) {
    if (length(given) > 0) {
      refuse(given[1], "data is what bmo_knn() gave: it takes no %s any more", given[1])
    }
    found <- data
  } else {
    data <- as_dataset(data, "data", flag(byrow, "byrow"))
    names <- data$names
    found <- bmo_knn(data, k = k, ...)
  }
  check_graph(found)
  if (as == "bmo_knn") found else sparse_graph(found, names)
}

check_graph <- function(found) {
  self <- attr(found, "self")
  n <- nrow(found$index)
  if (is.null(self) || (n > 0 && n != found$stats$arms + 1) || any(self != seq_len(n))) {
    refuse("data", "data has the neighbors of other points than its own; expected bmo_knn(data) without query and subset")
  }
}

# Entry (i, j): the distance of point i to its neighbor j. Points at distance 0 are entries too.
sparse_graph <- function(found, names) {
  n <- nrow(found$index)
  Matrix::sparseMatrix(
    i = rep(seq_len(n), ncol(found$index)), j = as.vector(found$index), x = as.vector(found$distance),
    dims = c(n, n), dimnames = if (!is.null(names)) list(names, names)
  )
}
