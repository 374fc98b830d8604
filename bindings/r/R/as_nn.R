as_nn <- function(x, format = c("FNN", "RANN", "hnsw"), self = NULL) {
  if (!inherits(x, "bmo_knn")) {
    refuse("x", "x is %s; expected what bmo_knn() gives", kind_of(x))
  }
  format <- match.arg(format)
  check_distances(x, "x")
  own <- attr(x, "self")
  if (is.null(self)) {
    self <- format != "FNN" && !is.null(own)
  } else if (flag(self, "self") && is.null(own)) {
    refuse("self", "self is TRUE, but the queries are not points of the data")
  }
  if (self && x$stats$metric == "inner_product") {
    refuse("self", "self is TRUE, but under inner_product a point is at no distance of 0 from itself; expected FALSE, or format FNN")
  }
  index <- unname(x$index)
  distance <- unname(x$distance)
  if (format == "RANN" && anyNA(index)) { # nn2() has these where no more are within its radius
    distance[is.na(index)] <- sqrt(.Machine$double.xmax)
    index[is.na(index)] <- 0L
  }
  if (self) {
    index <- cbind(own, index, deparse.level = 0)
    distance <- cbind(0, distance, deparse.level = 0)
  }
  switch(format,
    FNN = list(nn.index = index, nn.dist = distance),
    RANN = list(nn.idx = index, nn.dists = distance),
    hnsw = list(idx = index, dist = distance)
  )
}

check_distances <- function(found, what) {
  if (is.null(found$distance)) {
    refuse(what, "%s has no distances; expected what bmo_knn() gives with get.distance = TRUE", what)
  }
}
