# Errors of class "bmo_error": `status` is the library's name for the kind, `argument` the argument at fault, `row` and
# `col` a place in the user's matrix or NA.

bmo_error <- function(message, status = "BMO_EINVAL", argument = "", row = NA_real_, col = NA_real_) {
  structure(
    class = c("bmo_error", "error", "condition"),
    list(message = message, call = NULL, status = status, argument = argument, row = row, col = col)
  )
}

refuse <- function(argument, message, ...) {
  stop(bmo_error(sprintf(message, ...), argument = argument))
}

# Words of C that are others here, in messages and as arguments at fault.
names_in_r <- c(
  queries = "query", query = "data", distance = "data", mean_distance = "data", path = "file", rho = "metric",
  "bmo_dataset_prepare()" = "bmo_prepare()", run.k = "centers", run.centers = "centers", run.n_init = "nstart",
  run.max_iter = "iter.max", run.tol = "tol", run.inertia = "data", out.k = "k", limits.max_distance = "max_distance",
  limits.max_pairs = "max_pairs", limits.query_labels = "query_labels", out.limits.query_labels = "query_labels",
  candidates.rows = "candidates", candidates.labels = "labels", arms.n = "n", arms.pull = "pull", arms.exact = "exact",
  arms.exact_cost = "exact_cost", arms.lower = "lower", arms.upper = "upper"
)

# Called from C++, of what this package refuses.
stop_here <- function(status, argument, message) {
  stop(bmo_error(message, status, argument))
}

# Called from C++, of what the library refuses: the message with marks, and places that count from 0; -1: none.
stop_in_library <- function(status, argument, row, col, marked) {
  stop(error_of(status, in_r(argument), row, col, in_words_of_r(marked)))
}

# The same of an error that is about the matrix x, the argument `what`.
stop_about <- function(status, argument, row, col, marked, x, what, byrow) {
  slots <- slots_of(x, what)
  message <- in_words_of_r(marked, c(data = what, queries = what, slots))
  if (argument %in% names(slots)) {
    message <- sprintf("%s: see validObject(%s)", message, what)
  }
  stop(at_place_of(error_of(status, what, row, col, message), x, what, byrow))
}

error_of <- function(status, argument, row, col, message) {
  place <- function(x) if (x < 0) NA_real_ else x + 1
  bmo_error(message, status, argument, place(row), place(col))
}

# The slots of a sparse matrix, by the library's words for them.
slots_of <- function(x, what) {
  indices <- paste0(what, if (methods::is(x, "dgRMatrix")) "@j" else "@i")
  pointers <- paste0(what, "@p")
  c(data.indices = indices, queries.indices = indices, data.pointers = pointers, queries.pointers = pointers)
}

in_r <- function(word, words = names_in_r) {
  if (word %in% names(words)) words[[word]] else word
}

# A message has marks around words of C (\1), positions from 0 (\2) and the remark that they count from 0 (\4); \3 ends each.
in_words_of_r <- function(marked, words = names_in_r) {
  marks <- gregexpr("[\1\2\4][^\3]*\3", marked)
  regmatches(marked, marks) <- lapply(regmatches(marked, marks), vapply, function(mark) {
    text <- substr(mark, 2, nchar(mark) - 1)
    switch(utf8ToInt(substr(mark, 1, 1)), in_r(text, words), sprintf("%.0f", as.numeric(text) + 1), "", "")
  }, "")
  gsub("[\1-\4]", "", marked) # a long message may be cut within a mark
}

# An error about a value of x, in the words of the matrix that the user passed.
at_place_of <- function(error, x, what, byrow) {
  if (error$status != "BMO_ENONFINITE" || is.na(error$row)) {
    return(error)
  }
  row <- if (byrow) error$row else error$col
  col <- if (byrow) error$col else error$row
  bmo_error(
    sprintf("%s has %s at row %.0f, column %.0f; expected finite numbers", what, format(x[row, col]), row, col),
    error$status, what, row, col
  )
}

with_places_of <- function(x, what, byrow, call) {
  tryCatch(call, bmo_error = function(error) stop(at_place_of(error, x, what, byrow)))
}
