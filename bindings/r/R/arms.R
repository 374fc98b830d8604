bmo_best_arms <- function(pull, n, k = 1L, exact = NULL, exact_cost = 0, maximize = FALSE, lower = -Inf, upper = Inf,
                          delta = 0.01, epsilon = 0, seed = NULL, ..., progress = FALSE) {
  if (!is.function(pull)) {
    refuse("pull", "pull is %s; expected a function of arms and m", brief(pull))
  }
  if (!is.null(exact) && !is.function(exact)) {
    refuse("exact", "exact is %s; expected NULL or a function of an arm", brief(exact))
  }
  seed <- if (is.null(seed)) draw_seed() else seed
  settings <- as_settings(list(delta = delta, epsilon = epsilon, seed = seed, ...), "best_arms")
  sampling <- function(arms, m) pull(arms, m) # in the call of an error there are names, not all of the numbers
  computing <- if (!is.null(exact)) function(arm) exact(arm)
  found <- best_arms(
    sampling, computing, whole_number(n, "n", 1), whole_number(k, "k", 1), whole_number(exact_cost, "exact_cost", 0),
    flag(maximize, "maximize"), bound(lower, "lower"), bound(upper, "upper"), settings, flag(progress, "progress")
  )
  structure(found, class = "bmo_best_arms")
}

bound <- function(x, what) {
  if (!is.numeric(x) || length(x) != 1 || is.na(x)) {
    refuse(what, "%s is %s; expected a number, or an infinite one for no bound", what, brief(x))
  }
  as.double(x)
}

print.bmo_best_arms <- function(x, ...) {
  cat(sprintf("<bmo_best_arms> %d best of %.0f arms, %s\n", length(x$arm), x$stats$arms, promise(x$stats)))
  cat(sprintf("  %s samples and %.0f exact mean%s\n", format(x$stats$coord_ops_sampled, big.mark = ","), x$stats$exact_evals,
              if (x$stats$exact_evals == 1) "" else "s"))
  print(data.frame(arm = x$arm, mean = x$mean, halfwidth = x$halfwidth), ...)
  invisible(x)
}
