bmo_params <- function() {
  as.data.frame(parameter_table(), stringsAsFactors = FALSE)
}

bmo_info <- function() {
  library_info()
}

# Named texts for the library, of named values that count in a call, such as "knn", or in one of several.
as_settings <- function(values, calls) {
  texts <- setting_texts(values, calls)
  if (is.null(texts)) {
    refuse_settings(values, parameter_names(calls))
  }
  texts
}

# known: the parameters that count.
refuse_settings <- function(values, known) {
  given <- names(values)
  if (is.null(given) || !all(nzchar(given))) {
    refuse("...", "an argument in ... has no name; expected parameters by name: %s", toString(known))
  }
  unknown <- setdiff(given, parameter_table()$name)[1]
  if (!is.na(unknown)) {
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

# The text of a seed, which R's generator draws where the user gives none.
seed_text <- function(seed, call) {
  as_settings(list(seed = if (is.null(seed)) draw_seed() else seed), call)
}
