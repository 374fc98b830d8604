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
  if (inherits(data, c("bmo_knn", "bmo_radius"))) {
    if (length(given) > 0) {
      refuse(given[1], "data is what %s() gave: it takes no %s any more", class(data), given[1])
    }
    found <- data
  } else {
    data <- as_dataset(data, "data", flag(byrow, "byrow"), environment())
    found <- bmo_knn(data, k = k, ...)
  }
  check_graph(found)
  if (as == "dgCMatrix") check_distances(found, "data")
  if (as == "bmo_knn") found else sparse_graph(found, names_of_queries(found))
}

check_graph <- function(found) {
  self <- attr(found, "self")
  n <- queries_of(found)
  if (is.null(self) || n != attr(found, "points") || any(self != seq_len(n))) {
    refuse("data", "data has the neighbors of other points than its own; expected %s(data) without query and subset", class(found))
  }
}

names_of_queries <- function(found) {
  if (is.list(found$index)) names(found$index) else rownames(found$index)
}

queries_of <- function(found) {
  if (is.list(found$index)) length(found$index) else nrow(found$index)
}

# Entry (i, j): the distance of point i to its neighbor j. Points at distance 0 are entries too.
sparse_graph <- function(found, names) {
  n <- queries_of(found)
  from <- if (is.list(found$index)) rep(seq_len(n), lengths(found$index)) else rep(seq_len(n), ncol(found$index))
  to <- as.integer(unlist(found$index))
  there <- !is.na(to)
  Matrix::sparseMatrix(
    i = from[there], j = to[there], x = as.double(unlist(found$distance))[there], dims = c(n, n),
    dimnames = if (!is.null(names)) list(names, names)
  )
}
