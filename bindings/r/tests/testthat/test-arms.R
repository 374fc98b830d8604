chances <- c(0.5, 0.3, 0.6, 0.1, 0.8, 0.3)
toss <- function(arms, m) matrix(rbinom(length(arms) * m, 1, chances[arms]), length(arms))

test_that("the best arms are found, by samples alone and with exact means", {
  set.seed(1)
  found <- bmo_best_arms(toss, n = 6, k = 1, lower = 0, upper = 1, delta = 1e-6)
  expect_identical(found$arm, 4)
  expect_lte(abs(found$mean - 0.1), found$halfwidth)
  expect_identical(found$stats$guarantee, "proven")
  most <- bmo_best_arms(toss, n = 6, k = 2, lower = 0, upper = 1, maximize = TRUE, delta = 1e-6)
  expect_setequal(most$arm, c(5, 3))
  computed <- c()
  exact <- function(arm) {
    computed <<- c(computed, arm)
    chances[arm]
  }
  both <- bmo_best_arms(toss, n = 6, k = 3, exact = exact, exact_cost = 500, lower = 0, delta = 1e-6)
  expect_identical(sort(both$arm), c(2, 4, 6))
  expect_identical(both$mean, chances[both$arm])
  expect_identical(both$halfwidth, c(0, 0, 0))
  expect_true(all(both$arm %in% computed))
  expect_output(print(both), "<bmo_best_arms> 3 best of 6 arms, proven")
})

test_that("method uniform takes its number of samples", {
  found <- bmo_best_arms(toss, n = 6, method = "uniform", uniform_pulls = 9, lower = 0, upper = 1)
  expect_identical(found$stats$coord_ops_sampled, 6 * 9)
})

test_that("set.seed() repeats a search", {
  run <- function() {
    set.seed(8)
    bmo_best_arms(toss, n = 6, k = 1, lower = 0, upper = 1)[c("arm", "mean", "halfwidth")]
  }
  expect_identical(run(), run())
})

test_that("conditions and jumps in the functions come back as they are", {
  mine <- structure(class = c("mine", "error", "condition"), list(message = "enough", call = NULL))
  expect_error(bmo_best_arms(function(arms, m) stop(mine), n = 3), class = "mine")
  expect_error(bmo_best_arms(toss, n = 6, exact = function(arm) stop(mine), exact_cost = 10, lower = 0), class = "mine")
  left <- withRestarts(bmo_best_arms(function(arms, m) invokeRestart("leave", 7), n = 3), leave = identity)
  expect_identical(left, 7)
  warned <- FALSE
  expect_warning(bmo_best_arms(function(arms, m) {
    if (!warned) {
      warned <<- TRUE
      warning("low ink")
    }
    toss(arms, m)
  }, n = 6, lower = 0, upper = 1), "low ink")
})

test_that("what is no sample is refused", {
  refused <- function(call, message, status = "BMO_ECALLBACK") {
    error <- tryCatch(call, error = identity)
    expect_s3_class(error, "bmo_error")
    expect_identical(error$status, status)
    expect_match(conditionMessage(error), message)
  }
  refused(bmo_best_arms(function(arms, m) 1:3, n = 6), "pull gave 3 of type integer; expected [0-9]+ numbers, [0-9]+ for each of [0-9]+ arms")
  refused(bmo_best_arms(function(arms, m) NULL, n = 6), "pull gave 0 of type NULL")
  refused(bmo_best_arms(function(arms, m) NA * toss(arms, m), n = 6), "^pull says nan of arm [1-6]; expected a finite number$")
  refused(bmo_best_arms(function(arms, m) 2 * toss(arms, m), n = 6, lower = 0, upper = 1), "^pull says .* of arm [1-6]; expected")
  refused(bmo_best_arms(function(arms, m) t(toss(arms, m)), n = 6), "pull gave a [0-9]+ x 6 matrix; expected 6 rows and [0-9]+ columns")
  refused(bmo_best_arms(toss, n = 6, sigmma = 1), 'there is no parameter "sigmma"; expected one of method, bandit', "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 6, confidence = "bernstein"), "bounded on both sides$", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 6, exact = function(arm) "a", exact_cost = 1, lower = 0), "exact gave 1 of type character; expected 1 number")
  refused(bmo_best_arms(3, n = 6), "pull is 3; expected a function", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 6, exact = 3), "exact is 3; expected NULL or a function", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 0), "n is 0", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 3, k = 4), "^k is 4; expected 1 to 3", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 3, lower = NA), "lower is NA", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 3, lower = 1, upper = 0), "^lower is 1 and upper 0; expected lower < upper, at least one", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 3, exact = mean, lower = 0), "^exact_cost is 0; expected the samples", "BMO_EINVAL")
  refused(bmo_best_arms(toss, n = 3, exact_cost = -1), "exact_cost is -1", "BMO_EINVAL")
})

test_that("Ctrl-C stops a search of arms", {
  interrupt_after(0.5)
  stopped <- stopped_by(bmo_best_arms(function(arms, m) {
    Sys.sleep(0.01)
    matrix(0.5, length(arms), m)
  }, n = 6, lower = 0, upper = 1))
  expect_s3_class(stopped, "interrupt")
})
