# Neighbors by computing every distance: an answer that owes nothing to libbmo. Ties go to the lower index.
brute_force <- function(data, query = NULL, k, distance) {
  queries <- if (is.null(query)) data else query
  rows <- lapply(seq_len(nrow(queries)), function(i) {
    all <- apply(data, 1, function(point) distance(point, queries[i, ]))
    if (is.null(query)) all[i] <- Inf
    nearest <- order(all)[seq_len(k)]
    list(index = nearest, distance = all[nearest])
  })
  list(
    index = do.call(rbind, lapply(rows, `[[`, "index")),
    distance = do.call(rbind, lapply(rows, `[[`, "distance"))
  )
}

l1 <- function(a, b) sum(abs(a - b))
l2 <- function(a, b) sqrt(sum((a - b)^2))

# Rounding makes ties of points that are equally far: what counts is that the distances are the smallest ones, and that
# each index has its distance.
expect_neighbors <- function(found, expected, data, query = NULL, distance = l2) {
  testthat::expect_equal(found$distance, expected$distance, tolerance = 1e-12)
  queries <- if (is.null(query)) data else query
  of_index <- vapply(seq_along(found$index), function(at) {
    distance(data[found$index[at], ], queries[(at - 1) %% nrow(queries) + 1, ])
  }, 0)
  testthat::expect_equal(as.vector(found$distance), of_index, tolerance = 1e-12)
  testthat::expect_false(any(apply(found$index, 1, anyDuplicated) > 0))
}

# Points around a few centers, so that sampling can tell the far ones.
clusters <- function(n, d, centers = 8, seed = 1) {
  set.seed(seed)
  middle <- matrix(rnorm(centers * d, sd = 3), centers)
  middle[sample.int(centers, n, TRUE), , drop = FALSE] + matrix(rnorm(n * d), n)
}

# The condition that stopped a call, or NULL where it ended by itself.
stopped_by <- function(call) {
  tryCatch({
    call
    NULL
  }, interrupt = identity, error = identity)
}

# The memory of the process, in megabytes.
resident <- function() {
  line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Ctrl-C after some seconds.
interrupt_after <- function(seconds) {
  system(sprintf("(sleep %g; kill -INT %d)", seconds, Sys.getpid()), wait = FALSE)
}

# A NumPy file, written byte by byte.
write_npy <- function(matrix, file) {
  header <- sprintf("{'descr': '<f8', 'fortran_order': True, 'shape': (%d, %d), }", nrow(matrix), ncol(matrix))
  header <- paste0(formatC(header, width = -117), "\n")
  out <- file(file, "wb")
  on.exit(close(out))
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0)), out)
  writeBin(nchar(header), out, size = 2, endian = "little")
  writeBin(charToRaw(header), out)
  writeBin(as.vector(matrix), out, endian = "little")
}
