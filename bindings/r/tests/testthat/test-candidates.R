# Neighbors of each query among the points that `allowed` (queries x points) admits, by computing every distance.
among <- function(data, query, allowed, k = ncol(allowed), max_distance = Inf) {
  queries <- if (is.null(query)) data else query
  rows <- lapply(seq_len(nrow(queries)), function(i) {
    all <- apply(data, 1, l2, queries[i, ])
    fits <- allowed[i, ] & all <= max_distance
    if (is.null(query)) fits[i] <- FALSE
    nearest <- order(ifelse(fits, all, Inf))[seq_len(min(k, sum(fits)))]
    list(index = nearest, distance = all[nearest])
  })
  list(index = lapply(rows, `[[`, "index"), distance = lapply(rows, `[[`, "distance"))
}

# The same of what bmo_knn() gave.
found_of <- function(found) {
  index <- lapply(seq_len(nrow(found$index)), function(i) found$index[i, !is.na(found$index[i, ])])
  list(index = index, distance = lapply(seq_along(index), function(i) found$distance[i, seq_along(index[[i]])]))
}

same_found <- function(found, expected) {
  expect_identical(unname(found$index), expected$index)
  expect_equal(unname(found$distance), expected$distance, tolerance = 1e-12)
}

data <- clusters(90, 700)
query <- clusters(4, 700, seed = 2)
rows <- c(seq(2, 90, by = 3), 1) # in no order
points <- paste0("cell", 1:90)
labels <- c("alone", rep(c("a", "b", "c"), length.out = 89)) # cell1 has no companion
labels[c(30, 60)] <- "two"
query_labels <- c("b", "two", "none has this", "a")
radius <- median(brute_force(data, query, k = 40, distance = l2)$distance[, 40])

test_that("candidates by numbers, names, and TRUE and FALSE", {
  chosen <- function(queries) matrix(1:90 %in% rows, queries, 90, byrow = TRUE)
  rownames(data) <- points
  dataset <- bmo_prepare(data)
  for (candidates in list(rows, points[rows], 1:90 %in% rows)) {
    for (points in list(data, dataset)) {
      found <- bmo_knn(points, query, k = 5, candidates = candidates, method = "bandit")
      same_found(found_of(found), among(unname(data), query, chosen(4), 5))
      expect_identical(found$stats$arms, 31)
      own <- bmo_knn(points, k = 5, candidates = candidates)
      same_found(found_of(own), among(unname(data), NULL, chosen(90), 5))
      near <- bmo_radius(points, query, radius, candidates = candidates)
      same_found(near, among(unname(data), query, chosen(4), max_distance = radius))
    }
  }
  some <- bmo_radius(data, max_distance = radius, candidates = rows, subset = c("cell7", "cell2"))
  expected <- among(unname(data), NULL, chosen(90), max_distance = radius)
  same_found(some[1:2], lapply(expected, `[`, c(7, 2)))
  expect_output(print(found), "5 nearest of 31 points for each of 4", fixed = TRUE)
})

test_that("labels of every kind, by either rule", {
  numbers <- match(labels, unique(labels))
  of_queries <- match(query_labels, unique(labels), nomatch = 99)
  kinds <- list(list(labels, query_labels), list(factor(labels), factor(query_labels)), list(factor(labels), query_labels),
                list(numbers, of_queries), list(numbers + 0.5, of_queries + 0.5))
  for (rule in c("same", "other")) {
    fits <- if (rule == "same") `==` else `!=`
    own <- outer(labels, labels, fits)
    other <- outer(query_labels, labels, fits)
    for (kind in kinds) {
      found <- bmo_knn(data, query, k = 5, labels = kind[[1]], label_rule = rule, query_labels = kind[[2]], method = "bandit")
      same_found(found_of(found), among(data, query, other, 5))
    }
    near <- bmo_radius(data, query, radius, labels = labels, label_rule = rule, query_labels = query_labels)
    same_found(near, among(data, query, other, max_distance = radius))
    graph <- bmo_graph(data, k = 5, labels = labels, label_rule = rule, as = "bmo_knn")
    same_found(found_of(graph), among(data, NULL, own, 5))
    same_found(bmo_radius(data, max_distance = radius, labels = labels, label_rule = rule),
               among(data, NULL, own, max_distance = radius))
    both <- bmo_knn(t(data), t(query), k = 5, labels = labels, label_rule = rule, query_labels = query_labels, candidates = rows,
                    byrow = FALSE)
    same_found(found_of(both), among(data, query, other & matrix(1:90 %in% rows, 4, 90, byrow = TRUE), 5))
  }
  logical <- bmo_knn(data, k = 2, labels = labels == "a", label_rule = "same")
  same_found(found_of(logical), among(data, NULL, outer(labels == "a", labels == "a", `==`), 2))
})

test_that("sparse points, a prepared box, and a metric of one's own", {
  counts <- Matrix::rsparsematrix(90, 200, 0.1, rand.x = function(n) sample(9, n, TRUE) + 0)
  dense <- as.matrix(counts)
  expected <- among(dense, NULL, outer(labels, labels, `!=`), 90)
  for (points in list(counts, bmo_dataset(dense))) {
    found <- bmo_knn(points, k = 4, labels = labels, label_rule = "other")
    expect_equal(found$distance, t(sapply(expected$distance, `[`, 1:4)), tolerance = 1e-12)
  }
  rotated <- bmo_knn(data, query, k = 3, box = "rotated", candidates = rows, method = "bandit")
  custom <- bmo_knn(data, query, k = 3, metric = function(a, b, j) (a - b)^2, candidates = rows)
  expected <- among(data, query, matrix(1:90 %in% rows, 4, 90, byrow = TRUE), 3)
  same_found(found_of(rotated), expected)
  expect_identical(custom$index, rotated$index)
})

test_that("a graph has fewer entries where there are fewer candidates", {
  graph <- bmo_graph(data, k = 3, labels = labels, label_rule = "same")
  expect_equal(unname(Matrix::rowSums(graph > 0)), ifelse(labels == "alone", 0, ifelse(labels == "two", 1, 3)))
  found <- bmo_knn(data, k = 3, labels = labels, label_rule = "same")
  expect_identical(which(is.na(found$index[, 1])), 1L)
  expect_identical(found$distance[1, ], rep(Inf, 3))
  expect_output(print(found), sprintf("l2; %d found", 3 * 87 + 2), fixed = TRUE)
  expect_identical(bmo_graph(found), graph)
  nearest <- bmo_graph(bmo_knn(data, k = 3, candidates = rows))
  expect_true(all(which(diff(nearest@p) > 0) %in% rows))
  expect_error(bmo_graph(bmo_knn(data, k = 3, candidates = rows, subset = 1:32)), "neighbors of other points", class = "bmo_error")
})

test_that("the query that a dataset keeps is that of the same candidates", {
  dataset <- bmo_dataset(data)
  search <- function(...) found_of(bmo_knn(dataset, k = 3, seed = 1, ...))
  expected <- function(allowed) among(data, NULL, allowed, 3)
  all <- matrix(TRUE, 90, 90)
  chosen <- matrix(1:90 %in% rows, 90, 90, byrow = TRUE)
  left_out <- chosen[, 90:1]
  for (i in 1:2) {
    same_found(search(), expected(all))
    same_found(search(candidates = rows), expected(chosen))
    same_found(search(candidates = 91 - rows), expected(left_out))
    same_found(search(labels = labels, label_rule = "same"), expected(outer(labels, labels, `==`)))
    same_found(search(labels = labels, label_rule = "other"), expected(outer(labels, labels, `!=`)))
    same_found(search(labels = rev(labels), label_rule = "other"), expected(outer(rev(labels), rev(labels), `!=`)))
    distances <- as.matrix(dist(data))
    expect_identical(bmo_medoid(dataset, seed = 1)$index, as.numeric(which.min(rowMeans(distances))))
  }
})

test_that("candidates and labels that make no sense are refused", {
  refused <- function(call, message, argument) {
    error <- tryCatch(call, error = identity)
    expect_s3_class(error, "bmo_error")
    expect_identical(conditionMessage(error), message)
    expect_identical(error$argument, argument)
  }
  refused(bmo_knn(data, candidates = c(1, 91)), "candidates has 91; expected whole numbers from 1 to 90", "candidates")
  refused(bmo_knn(data, candidates = c(3, 1, 3)), "candidates has row 3 twice; expected each row once", "candidates")
  none <- "no point is a candidate; expected 1 or more of the dataset's 90"
  refused(bmo_knn(data, candidates = numeric()), none, "candidates")
  refused(bmo_radius(data, max_distance = 1, candidates = rep(FALSE, 90)), none, "candidates")
  refused(bmo_knn(data, candidates = "cell1"), "candidates has names, but the points of data have none; expected their numbers",
          "candidates")
  refused(bmo_knn(data, k = 4, candidates = 1:3), "k is 4; expected 1 to 3, the candidates of a query", "k")
  expected <- "expected a factor, or a vector of texts or numbers, with a label for each of"
  refused(bmo_knn(data, labels = 1:3, label_rule = "same"),
          paste("labels is a vector of type integer and length 3;", expected, "90 points of data"), "labels")
  refused(bmo_knn(data, labels = Sys.Date() + 1:90, label_rule = "same"),
          paste('labels is of class "Date";', expected, "90 points of data"), "labels")
  refused(bmo_knn(data, labels = replace(labels, 7, NA), label_rule = "same"), "labels has NA at 7; expected a label", "labels")
  refused(bmo_knn(data, labels = addNA(factor(replace(labels, 7, NA))), label_rule = "same"),
          "labels has NA at 7; expected a label", "labels")
  refused(bmo_knn(data, labels = labels), 'label_rule is NULL; expected "same" or "other", for there are labels', "label_rule")
  refused(bmo_knn(data, labels = labels, label_rule = "equal"), 'label_rule is "equal"; expected "same" or "other"', "label_rule")
  refused(bmo_knn(data, label_rule = "same"),
          "labels is NULL, though there is a label_rule; expected a label for each point", "labels")
  of_queries <- function(query, query_labels, ...) {
    bmo_knn(data, query, labels = labels, label_rule = "other", query_labels = query_labels, ...)
  }
  refused(of_queries(query, NULL), "query_labels is NULL; expected the label of each query", "query_labels")
  refused(of_queries(query, c("a", "b")),
          paste("query_labels is a vector of type character and length 2;", expected, "4 queries"), "query_labels")
  refused(of_queries(query, c("a", NA, "b", "c")), "query_labels has NA at 2; expected a label", "query_labels")
  own <- "query_labels are set; expected NULL, for the queries have the labels of their points"
  refused(of_queries(NULL, labels), own, "query_labels")
  refused(of_queries(NULL, labels[1:2], subset = 1:2), own, "query_labels")
  unlabeled <- "query_labels are set; expected NULL, for labels do not count here"
  refused(bmo_radius(data, query, 1, query_labels = query_labels), unlabeled, "query_labels")
  refused(bmo_knn(data, query, candidates = rows, query_labels = query_labels), unlabeled, "query_labels")
  expect_error(bmo_kmeans(data, 3, candidates = rows), "candidates", class = "bmo_error")
  expect_error(bmo_medoid(data, labels = labels), "labels", class = "bmo_error")
})

test_that("no query needs no label", {
  for (query_labels in list(NULL, character())) {
    found <- bmo_knn(data, data[0, ], k = 2, labels = labels, label_rule = "same", query_labels = query_labels)
    expect_identical(dim(found$index), c(0L, 2L))
  }
})
