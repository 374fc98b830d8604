library(testthat)
library(bmo)

test_check("bmo")
