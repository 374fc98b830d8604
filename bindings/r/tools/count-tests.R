# usage: Rscript count-tests.R PASSED FAILED FILTER
# What run-tests runs: every test, closing with its counts added to PASSED and FAILED.
arguments <- commandArgs(trailingOnly = TRUE)
filter <- arguments[3]
results <- as.data.frame(testthat::test_dir(
  "tests/testthat",
  package = "bmo", load_package = "installed", reporter = "check", stop_on_failure = FALSE,
  filter = if (!is.na(filter) && nzchar(filter)) filter
))
bad <- results$failed > 0 | results$error | results$warning > 0
for (name in results$test[results$skipped]) cat("skipped:", name, "\n")
counts <- as.integer(arguments[1:2]) + c(sum(!bad & !results$skipped), sum(bad))
cat(sprintf("%d passed, %d failed\n", counts[1], counts[2]))
quit(status = as.integer(counts[2] > 0))
