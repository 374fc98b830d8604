bmo_params <- function() {
  as.data.frame(parameter_table(), stringsAsFactors = FALSE)
}

bmo_info <- function() {
  library_info()
}

# Named texts for the library, of named values; known: the names that are taken, NULL for those of all parameters.
as_settings <- function(values, known = NULL) {
  texts <- setting_texts(values, known)
  if (is.null(texts)) {
    refuse_settings(values, if (is.null(known)) parameter_names() else known)
  }
  texts
}

refuse_settings <- function(values, known) {
  given <- names(values)
  if (is.null(given) || !all(nzchar(given))) {
    refuse("...", "an argument in ... has no name; expected parameters by name: %s", toString(known))
  }
  if (!all(given %in% known)) {
    unknown <- given[!given %in% known][1]
    refuse(unknown, "there is no parameter %s; expected one of %s", dQuote(unknown, FALSE), toString(known))
  }
  if (anyDuplicated(given) > 0) {
    twice <- given[anyDuplicated(given)]
    refuse(twice, "%s was given twice", twice)
  }
  wrong <- which(is.na(mapply(setting_text, given, values)))[1]
  refuse_setting(values[[wrong]], given[wrong])
}

refuse_setting <- function(value, name) {
  if (name == "seed" && is.numeric(value) && length(value) == 1 && !is.na(value)) {
    refuse(name, "seed is %s; expected a number from -2^53 to 2^53, or a text of digits", brief(value))
  }
  refuse(name, "%s is %s; expected a single number or text", name, brief(value))
}

# The seed as a setting. Prepared points have one of their own, which the library takes where none is set.
seed_for <- function(seed, prepared) {
  if (!is.null(seed)) {
    list(seed = seed)
  } else if (!prepared) {
    list(seed = draw_seed())
  }
}
