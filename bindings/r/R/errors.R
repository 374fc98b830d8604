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

# What the library's structs and functions are here: in messages, and as arguments at fault.
words_of_messages <- c(
  "run\\.k is" = "centers is", "run\\.n_init" = "nstart", "run\\.max_iter" = "iter.max", "run\\.(tol|centers)" = "\\1",
  "out\\.k is" = "k is", "limits\\.(max_distance|max_pairs)" = "\\1", "arms\\.(n|lower|upper|exact_cost|pull|exact)\\b" = "\\1",
  "a callback draws" = "pull draws", " \\(BMO_ARMS_BOUNDED\\)" = " by lower and upper", "the inertia is" = "tot.withinss is",
  "expected 0 or 1 with given centers" = "expected 1 where centers is a matrix",
  "^(metric is .*; expected one of: .*) custom$" = "\\1, or a function", "^the inertia" = "tot.withinss",
  "the callback rho" = "metric", "the callback (pull|exact)" = "\\1",
  "metric is custom, but the config has no callback.*" = "metric is \"custom\"; expected in its place a function of a, b and j",
  "let the callback apply its own" = "let the function apply its own",
  "the config has ([0-9]+) weights" = "there are \\1 weights", "clear them" = "leave them out",
  "(, which needs a prepared dataset: call )bmo_dataset_prepare\\(\\) with this config first" = "\\1bmo_prepare() first",
  "the dataset was prepared with other weights: prepare it again with this config, or set those" =
    "data was prepared with other weights; pass those as weights, or prepare the points again",
  "prepare it again with this config" = "prepare it again", "make a dense dataset of them" = "pass as.matrix() of them",
  "make a dense dataset" = "pass a dense matrix", "or make a sparse dataset" = "or pass a sparse matrix",
  "is \"([-+.e0-9]+|-?Inf)\"; expected (an? (integer|number))" = "is \\1; expected \\2"
)
names_of_arguments <- c(
  queries = "query", query = "data", distance = "data", mean_distance = "data", path = "file", run.inertia = "data", rho = "metric",
  run.k = "centers", run.centers = "centers", run.n_init = "nstart", run.max_iter = "iter.max", run.tol = "tol", out.k = "k"
)

# Called from C++ with places that count from 0; -1: none.
stop_bmo <- function(status, argument, row, col, message) {
  stop(error_of(status, argument, row, col, message))
}

# The same of an error that is about the matrix x, the argument `what`, in the words of which it is told.
stop_about <- function(status, row, col, message, x, what, byrow) {
  error <- error_of(status, what, row, col, message)
  if (grepl("(data|queries)\\.(indices|pointers)", message)) {
    error <- bmo_error(slot_message(error, x, what), status, what)
  }
  stop(at_place_of(error, x, what, byrow))
}

error_of <- function(status, argument, row, col, message) {
  place <- function(x) if (x < 0) NA_real_ else x + 1
  bmo_error(message_of(message), status, argument_of(argument), place(row), place(col))
}

argument_of <- function(argument) {
  if (argument %in% names(names_of_arguments)) {
    return(names_of_arguments[[argument]])
  }
  argument <- sub("^limits\\.", "", argument)
  sub("^queries\\..*", "query", sub("^data\\..*", "data", sub("^arms\\.", "", argument)))
}

message_of <- function(message) {
  message <- count_from_one(message)
  for (theirs in names(words_of_messages)) {
    message <- gsub(theirs, words_of_messages[[theirs]], message)
  }
  message
}

count_from_one <- function(message) {
  places <- if (grepl("(counted from 0)", message, fixed = TRUE)) "(?<=point |query |coordinate |arm )[0-9]+" else "(?<=^weights\\[)[0-9]+"
  add_one(sub(" (counted from 0)", "", message, fixed = TRUE), places)
}

add_one <- function(message, places) {
  found <- gregexpr(places, message, perl = TRUE)
  regmatches(message, found) <- lapply(regmatches(message, found), function(place) sprintf("%.0f", as.numeric(place) + 1))
  message
}

# What is wrong with a slot of a sparse matrix, whose values count from 0.
slot_message <- function(error, x, what) {
  message <- gsub("(data|queries)\\.(indices|pointers)", "data.\\2", conditionMessage(error))
  message <- add_one(message, "(?<=data\\.indices\\[|data\\.pointers\\[)[0-9]+")
  indices <- if (methods::is(x, "dgCMatrix")) "i" else "j"
  message <- sub(", of (point|coordinate) [0-9]+,", "", gsub("data.pointers", paste0(what, "@p"), message, fixed = TRUE))
  paste0(gsub("data.indices", paste0(what, "@", indices), message, fixed = TRUE), ": see validObject(", what, ")")
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
