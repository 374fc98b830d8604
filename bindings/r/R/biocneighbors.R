# Neighbors for packages that search by BiocNeighbors: scran, scater, bluster, batchelor. This package goes without
# BiocNeighbors, so its classes are defined when the first BmoParam is made.

BmoParam <- function(distance = c("Euclidean", "Manhattan", "Cosine"), ...) {
  distance <- match.arg(distance)
  settings <- list(...)
  as_settings(c(list(metric = bioc_metrics[[distance]]), settings), c("knn", "radius"))
  if (!requireNamespace("BiocNeighbors", quietly = TRUE)) {
    refuse("BmoParam", "BmoParam is for package BiocNeighbors, which is not installed")
  }
  version <- getNamespaceVersion("BiocNeighbors")
  if (package_version(version) >= "2") { # whose generics have other arguments
    refuse("BmoParam", "BmoParam is for version 1 of BiocNeighbors; this is %s", version)
  }
  define_bioc_methods()
  methods::new("BmoParam", distance = distance, settings = settings)
}

bioc_metrics <- c(Euclidean = "l2", Manhattan = "l1", Cosine = "cosine")

# A place for classes and methods, for the namespace is closed.
bioc <- new.env()
assign(".packageName", "bmo", bioc)

define_bioc_methods <- function() {
  if (!is.null(bioc$defined)) {
    return(invisible())
  }
  theirs <- asNamespace("BiocNeighbors")
  define <- function(class, parent, ...) {
    methods::setClass(class, contains = structure(parent, package = "BiocNeighbors"), ..., where = bioc)
  }
  method <- function(name, ..., definition) methods::setMethod(get(name, theirs), methods::signature(...), definition, where = bioc)
  define("BmoParam", "BiocNeighborParam", slots = c(settings = "list"))
  define("BmoIndex", "BiocNeighborIndex", slots = c(param = "BmoParam"))
  method("buildIndex", "BmoParam", definition = bioc_index)
  for (name in names(bioc_searches)) {
    method(name, "missing", "BmoParam", definition = bioc_searches[[name]])
    method(name, "BmoIndex", "BmoParam", definition = bioc_searches[[name]])
    method(name, "BmoIndex", "missing", definition = bioc_searches[[name]])
  }
  bioc$defined <- TRUE
}

# Points are columns of an index.
bioc_index <- function(X, ..., BNPARAM) {
  data <- as.matrix(if (isTRUE(list(...)$transposed)) X else t(X))
  methods::new("BmoIndex", data = data, NAMES = colnames(data), distance = BNPARAM@distance, param = BNPARAM)
}

bioc_searches <- list(
  findKNN = function(X, k, ..., BNINDEX, BNPARAM) {
    bioc_knn(if (missing(X)) NULL else X, NULL, k, BNINDEX, BNPARAM, ...)
  },
  queryKNN = function(X, query, k, ..., BNINDEX, BNPARAM) {
    bioc_knn(if (missing(X)) NULL else X, query, k, BNINDEX, BNPARAM, ...)
  },
  findNeighbors = function(X, threshold, ..., BNINDEX, BNPARAM) {
    bioc_radius(if (missing(X)) NULL else X, NULL, threshold, BNINDEX, BNPARAM, ...)
  },
  queryNeighbors = function(X, query, threshold, ..., BNINDEX, BNPARAM) {
    bioc_radius(if (missing(X)) NULL else X, query, threshold, BNINDEX, BNPARAM, ...)
  }
)

# BiocNeighbors' own arguments; raw.index and warn.ties do not count here. last: that many of the k, from the k-th on.
bioc_knn <- function(X, query, k, BNINDEX, BNPARAM, get.index = TRUE, get.distance = TRUE, last = k, BPPARAM = NULL,
                     subset = NULL, transposed = FALSE, ...) {
  search <- bioc_search("knn", X, query, BNINDEX, BNPARAM, subset, transposed, BPPARAM)
  most <- dim(search$data)[1] - is.null(query)
  if (k > most) {
    warning("'k' capped at the number of observations", call. = FALSE)
    k <- most
  }
  if (k == 0) {
    none <- matrix(0L, if (is.null(search$subset)) dim(if (is.null(query)) search$data else search$query)[1] else length(search$subset), 0)
    return(list(index = if (get.index) none, distance = if (get.distance) none + 0))
  }
  found <- do.call(bmo_knn, c(search, list(k = k, get.distance = get.distance)))
  ranks <- seq(to = k, length.out = min(last, k))
  part <- function(matrix) unname(matrix[, ranks, drop = FALSE])
  c(if (get.index) list(index = part(found$index)),
    if (get.distance) list(distance = bioc_distance(part(found$distance), search$metric)))
}

# A point is a neighbor of its own there.
bioc_radius <- function(X, query, threshold, BNINDEX, BNPARAM, get.index = TRUE, get.distance = TRUE, BPPARAM = NULL,
                        subset = NULL, transposed = FALSE, ...) {
  search <- bioc_search("radius", X, query, BNINDEX, BNPARAM, subset, transposed, BPPARAM)
  max_distance <- if (search$metric == "cosine") threshold^2 / 2 else threshold
  found <- do.call(bmo_radius, c(search, list(max_distance = max_distance)))
  own <- attr(found, "self")
  counts_itself <- function(parts, ones) if (is.null(own)) unname(parts) else Map(c, ones, unname(parts), USE.NAMES = FALSE)
  c(if (get.index) list(index = counts_itself(found$index, own)),
    if (get.distance) list(distance = counts_itself(lapply(found$distance, bioc_distance, search$metric), 0 * own)))
}

# The arguments of bmo_knn() or bmo_radius(). A parameter may count in the other alone, for a BmoParam serves both.
bioc_search <- function(call, X, query, BNINDEX, BNPARAM, subset, transposed, BPPARAM) {
  built <- !missing(BNINDEX)
  param <- if (built) BNINDEX@param else BNPARAM
  data <- if (built) bmo_dataset(BNINDEX@data, byrow = FALSE) else bmo_dataset(X, byrow = !(transposed && is.null(query)))
  if (!is.null(query)) {
    query <- if (is.null(subset)) query else if (transposed) query[, subset, drop = FALSE] else query[subset, , drop = FALSE]
    query <- bmo_dataset(query, byrow = !transposed)
    subset <- NULL
  }
  threads <- if (is.null(BPPARAM)) 1L else BiocParallel::bpnworkers(BPPARAM)
  settings <- param@settings[names(param@settings) %in% parameter_names(call)]
  settings <- c(settings, if (is.null(settings$threads)) list(threads = threads))
  c(list(data = data, query = query, subset = subset, metric = bioc_metrics[[param@distance]]), settings)
}

# Cosine means there the distance of points that were brought to length 1.
bioc_distance <- function(distance, metric) {
  if (metric == "cosine") sqrt(2 * distance) else distance
}
