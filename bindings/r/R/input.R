# What users pass, as what the library reads.

# A numeric matrix, dgCMatrix or dgRMatrix of anything that holds one, with a coordinate or more; `what` names the argument in
# errors, byrow tells whether points are rows.
as_points <- function(x, what, byrow) {
  if (!is.matrix(x) || is.object(x) || !holds_numbers(x)) {
    x <- as_readable(x, what)
  }
  if (dim(x)[if (byrow) 2 else 1] == 0) {
    refuse(what, "%s has no %s; expected a coordinate or more", what, if (byrow) "columns" else "rows")
  }
  x
}

as_readable <- function(x, what) {
  if (is.data.frame(x)) {
    x <- matrix_of_columns(x, what)
  }
  if (methods::is(x, "dgCMatrix") || methods::is(x, "dgRMatrix")) {
    return(x)
  }
  if (methods::is(x, "Matrix")) {
    return(general_matrix(x))
  }
  if (!is.matrix(x)) {
    refuse(what, "%s is %s; expected a matrix%s", what, kind_of(x), hint_for(x, what))
  }
  if (!holds_numbers(x) || is.object(x)) {
    refuse(what, "%s is %s; expected numbers", what, kind_of(x))
  }
  x
}

holds_numbers <- function(x) {
  is.numeric(x) || is.logical(x) || is.raw(x)
}

# What makes a matrix of it.
hint_for <- function(x, what) {
  if (is.numeric(x) && is.null(dim(x))) {
    sprintf(": for a single point matrix(%s, nrow = 1)", what)
  } else if (methods::is(x, "SummarizedExperiment")) {
    sprintf(": for a cell a column assay(%s) with byrow = FALSE, for one a row reducedDim(%s)", what, what)
  } else if (methods::is(x, "DelayedArray")) {
    sprintf(": as.matrix(%s), or as(%s, \"dgCMatrix\") if it is sparse", what, what)
  } else {
    ""
  }
}

# Sparse, diagonal, symmetric, triangular, logical and pattern matrices, and dense ones, of package Matrix.
general_matrix <- function(x) {
  if (methods::is(x, "sparseMatrix")) {
    x <- methods::as(methods::as(x, "dMatrix"), "generalMatrix")
    methods::as(x, if (methods::is(x, "RsparseMatrix")) "RsparseMatrix" else "CsparseMatrix")
  } else {
    as.matrix(x)
  }
}

kind_of <- function(x) {
  if (is.null(x)) {
    "NULL"
  } else if (is.object(x)) {
    paste("of class", dQuote(class(x)[1], FALSE))
  } else if (is.matrix(x)) {
    paste("a matrix of type", typeof(x))
  } else if (is.array(x)) {
    sprintf("an array of type %s with %d dimensions", typeof(x), length(dim(x)))
  } else if (is.atomic(x)) {
    paste("a vector of type", typeof(x), "and length", length(x))
  } else {
    paste("of type", typeof(x))
  }
}

matrix_of_columns <- function(x, what) {
  for (name in names(x)) {
    if (!(is.numeric(x[[name]]) || is.logical(x[[name]])) || length(dim(x[[name]])) > 0) {
      refuse(what, "column %s of %s is %s; expected numbers", dQuote(name, FALSE), what, kind_of(x[[name]]))
    }
  }
  as.matrix(x)
}

# A whole number from `least` on.
whole_number <- function(x, what, least) {
  if (!is.numeric(x) || length(x) != 1 || is.na(x) || x != floor(x) || x < least || x > 2^53) {
    refuse(what, "%s is %s; expected a whole number from %d on", what, brief(x), least)
  }
  as.double(x)
}

as_weights <- function(weights) {
  if (!is.numeric(weights)) {
    refuse("weights", "weights is %s; expected a number for each coordinate", brief(weights))
  }
  if (length(weights) == 0) {
    refuse("weights", "weights is empty; expected NULL, or a number for each coordinate")
  }
  as.double(weights)
}

flag <- function(x, what) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) {
    refuse(what, "%s is %s; expected TRUE or FALSE", what, brief(x))
  }
  x
}

# Points of the data to search from, by number from 1, name, or TRUE and FALSE for each.
row_numbers <- function(rows, n, names, what) {
  if (is.character(rows)) {
    return(numbers_of_names(rows, names, what))
  }
  if (is.logical(rows) && length(rows) == n && !anyNA(rows)) {
    return(as.double(which(rows)))
  }
  if (!is.numeric(rows)) {
    refuse(what, "%s is %s; expected whole numbers from 1 to %.0f, names of points, or %.0f of TRUE and FALSE",
           what, brief(rows), n, n)
  }
  bad <- which(is.na(rows) | rows != floor(rows) | rows < 1 | rows > n)
  if (length(bad) > 0) {
    refuse(what, "%s has %s; expected whole numbers from 1 to %.0f", what, brief(rows[bad[1]]), n)
  }
  as.double(rows)
}

numbers_of_names <- function(rows, names, what) {
  if (is.null(names)) {
    refuse(what, "%s has names, but the points of data have none; expected their numbers", what)
  }
  numbers <- match(rows, names)
  if (anyNA(numbers)) {
    refuse(what, "%s has %s; expected names of points of data", what, brief(rows[is.na(numbers)][1]))
  }
  as.double(numbers)
}

brief <- function(x) {
  text <- if (is.double(x) && length(x) == 1 && is.nan(x)) "NaN" else if (is.atomic(x) && length(x) == 1 && is.na(x)) "NA" else paste(deparse(x), collapse = " ")
  if (nchar(text) > 60) paste0(substr(text, 1, 57), "...") else text
}
