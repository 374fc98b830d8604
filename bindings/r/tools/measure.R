# usage: Rscript bindings/r/tools/measure.R COMMAND POINTS [METRIC [TURNS]]
# What the installed package costs beside the bmo command COMMAND: the memory that bmo_knn() takes at most beyond its input,
# of data that are prepared and of data that are not; and the least time of TURNS searches for the 5 nearest of all points,
# by turns with the command, both prepared; and what a call for one query takes beside the search. POINTS: a .npy file of bytes, which become a double matrix (the command reads
# the same, from a file of its own), or a .mtx file, which becomes a dgCMatrix with a point a column.
suppressPackageStartupMessages(library(bmo))
arguments <- commandArgs(trailingOnly = TRUE)
folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "..", "tests", "testthat", "helper.R")) # write_npy
command <- arguments[1]
path <- arguments[2]
metric <- if (is.na(arguments[3])) "l2" else arguments[3]
turns <- if (is.na(arguments[4])) 9L else as.integer(arguments[4])

read_bytes <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  size <- readBin(readBin(file, raw(), 10)[9:10], "integer", size = 2, endian = "little")
  header <- rawToChar(readBin(file, raw(), size))
  shape <- as.numeric(regmatches(header, gregexpr("[0-9]+(?=,|\\))", header, perl = TRUE))[[1]])
  stopifnot(grepl("'|u1'", header, fixed = TRUE), grepl("False", header))
  values <- matrix(as.double(as.integer(readBin(file, raw(), prod(shape)))), shape[1], byrow = TRUE)
  values
}

read_sparse <- function(path) {
  methods::as(Matrix::t(methods::as(Matrix::readMM(path), "CsparseMatrix")), "dMatrix")
}

status <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

# The bytes that a call takes at most, beyond what there was before it.
peak_of <- function(call) {
  gc()
  writeLines("5", "/proc/self/clear_refs") # the high-water mark starts again
  before <- status("VmRSS")
  force(call)
  status("VmHWM") - before
}

command_seconds <- function(points) {
  report <- tempfile(fileext = ".json")
  on.exit(unlink(report))
  options <- c("graph", points, "-k", "5", "--metric", metric, "--prepare", "yes", "--json", report)
  stopifnot(system2(command, shQuote(options), stdout = FALSE) == 0)
  text <- paste(readLines(report), collapse = "")
  as.numeric(sub('.*"query_ms": *([0-9.e+-]+).*', "\\1", text)) / 1000
}

package_seconds <- function(prepared) {
  system.time(bmo_knn(prepared, k = 5, metric = metric))[["elapsed"]]
}

warm_up <- function(sparse) { # R loads code when it is first used
  few <- matrix(as.double(1:20), 5)
  bmo_knn(bmo_prepare(if (sparse) methods::as(few, "CsparseMatrix") else few), k = 1)
  peak_of(NULL)
}

sparse <- grepl("\\.mtx(\\.gz)?$", path)
points <- if (sparse) read_sparse(path) else read_bytes(path)
input <- as.numeric(object.size(points))
invisible(warm_up(sparse))
for (prepare in c(FALSE, TRUE)) {
  peak <- peak_of({
    data <- if (prepare) bmo_prepare(points, seed = 0, byrow = !sparse) else points
    bmo_knn(data, k = 5, metric = metric, seed = 0, byrow = !sparse)
  })
  cat(sprintf("input %.1f MB, peak beyond it %.1f MB (%.2f of it), %s\n",
              input / 1e6, peak / 1e6, peak / input, if (prepare) "prepared" else "not prepared"))
}

file <- path
if (!sparse) {
  file <- tempfile(fileext = ".npy")
  write_npy(points, file)
}
prepared <- bmo_prepare(points, seed = 0, byrow = !sparse)
seconds <- replicate(turns, c(command_seconds(file), package_seconds(prepared)))
least <- apply(seconds, 1, min)
cat(sprintf("5 nearest of %.0f points, %s, least of %d: command %.3f s, R %.3f s (%.3f of it)\n",
            dim(prepared)[1], metric, turns, least[1], least[2], least[2] / least[1]))

now <- function() unclass(Sys.time())
beside <- replicate(2000, {
  before <- now()
  found <- bmo_knn(prepared, subset = 1, k = 1, metric = metric)
  now() - before - found$stats$seconds
})
cat(sprintf("a call for one query beside the search, median of 2000: %.3f ms\n", 1000 * stats::median(beside)))
