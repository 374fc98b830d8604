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

# Called from C++ with places that count from 0; -1: none.
stop_bmo <- function(status, argument, row, col, message) {
  place <- function(x) if (x < 0) NA_real_ else x + 1
  message <- gsub("bmo_dataset_prepare()", "bmo_prepare()", message, fixed = TRUE)
  if (argument == "weights" && col >= 0) {
    message <- sub("weights[[0-9]+]", sprintf("weights[%.0f]", col + 1), message)
  }
  stop(bmo_error(message, status, argument, place(row), place(col)))
}

# A dataset's error about a value, in the words of the matrix that the user passed.
with_places_of <- function(x, what, byrow, call) {
  tryCatch(call, bmo_error = function(error) {
    if (error$status == "BMO_ENONFINITE" && !is.na(error$row)) {
      row <- if (byrow) error$row else error$col
      col <- if (byrow) error$col else error$row
      error <- bmo_error(
        sprintf("%s has %s at row %.0f, column %.0f; expected finite numbers", what, format(x[row, col]), row, col),
        error$status, what, row, col
      )
    }
    stop(error)
  })
}
