# Which points may be neighbors, as the library takes it. given: candidates, labels, label_rule and query_labels of the user's;
# n, names: of the points of the data; count: of the queries. Labels become codes by their values; 0 is that of no point.
plan_candidates <- function(given, n, names, count) {
  rows <- if (!is.null(given$candidates)) row_numbers(given$candidates, n, names, "candidates")
  labels <- as_labels(given$labels, "labels", n, "points of data")
  query_labels <- as_labels(given$query_labels, "query_labels", count, "queries")
  rule <- label_rule_number(given$label_rule, labels)
  values <- unique(labels)
  list(
    among = if (!is.null(rows) || rule > 0) list(rows = rows, labels = codes_of(labels, values), rule = rule),
    labels = codes_of(query_labels, values) # of the queries
  )
}

# NULL, or a vector of one kind.
as_labels <- function(x, what, count, of) {
  if (is.factor(x)) {
    x <- as.character(x)
  }
  if (is.null(x)) {
    return(NULL)
  }
  readable <- !is.object(x) && (is.character(x) || is.numeric(x) || is.logical(x))
  if (!readable || length(x) != count) {
    refuse(what, "%s is %s; expected a factor, or a vector of texts or numbers, with a label for each of %.0f %s",
           what, kind_of(x), count, of)
  }
  if (anyNA(x)) {
    refuse(what, "%s has NA at %d; expected a label", what, which(is.na(x))[1])
  }
  x
}

codes_of <- function(labels, values) {
  if (!is.null(labels)) match(labels, values, nomatch = 0L)
}

label_rule_number <- function(rule, labels) {
  if (is.null(rule) && is.null(labels)) {
    return(0L)
  }
  number <- if (is.character(rule) && length(rule) == 1) match(rule, c("same", "other")) else NA
  if (is.na(number)) {
    refuse("label_rule", "label_rule is %s; expected \"same\" or \"other\"%s", brief(rule),
           if (is.null(rule)) ", for there are labels" else "")
  }
  number
}
