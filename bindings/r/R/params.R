bmo_params <- function() {
  as.data.frame(parameter_table(), stringsAsFactors = FALSE)
}

bmo_info <- function() {
  library_info()
}

# Named texts for the library, of named values.
as_settings <- function(values, known = bmo_params()$name) {
  if (length(values) > 0 && (is.null(names(values)) || any(names(values) == ""))) {
    refuse("...", "an argument in ... has no name; expected parameters by name: %s", toString(known))
  }
  unknown <- setdiff(names(values), known)
  if (length(unknown) > 0) {
    refuse(unknown[1], "there is no parameter %s; expected one of %s", dQuote(unknown[1], FALSE), toString(known))
  }
  twice <- names(values)[duplicated(names(values))]
  if (length(twice) > 0) {
    refuse(twice[1], "%s was given twice", twice[1])
  }
  mapply(as_setting, values, names(values))
}

as_setting <- function(value, name) {
  if (!(is.numeric(value) || is.character(value)) || length(value) != 1 || is.na(value)) {
    refuse(name, "%s is %s; expected a single number or text", name, brief(value))
  }
  if (name == "seed" && is.numeric(value) && abs(value) > 2^53) {
    refuse(name, "seed is %s; expected a number from -2^53 to 2^53, or a text of digits", brief(value))
  }
  if (is.character(value)) value else number_text(value)
}

# As short as it reads back as the same number, and whole ones without an exponent.
number_text <- function(value) {
  if (value == floor(value) && abs(value) <= 2^53) {
    return(sprintf("%.0f", value))
  }
  short <- sprintf("%.15g", value)
  if (as.double(short) == value) short else sprintf("%.17g", value)
}

# The seed as a setting. Prepared points have one of their own, which the library takes where none is set.
seed_for <- function(seed, about) {
  if (!is.null(seed)) {
    list(seed = seed)
  } else if (!about$prepared) {
    list(seed = draw_seed())
  }
}

# A seed of R's own generator, so that set.seed() repeats it.
draw_seed <- function() {
  sample.int(.Machine$integer.max, 1L)
}
