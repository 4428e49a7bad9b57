# What several adapters need. Each adapter is read with those of these functions that it names in front of it, and with
# what they name in turn; the digest of an adapter covers them too.

# R's word for an alternative
dotted <- function(alternative) sub("-", ".", alternative, fixed = TRUE)

# Scores without the digits that are noise: R compares bits
without_noise <- function(scores, tie_tolerance = 1e-12) {
  if (tie_tolerance > 0) signif(scores, round(-log10(tie_tolerance))) else scores
}

# Differences without the digits that are noise, taken in a unit that R can round to
differences_without_noise <- function(x, y, tie_tolerance = 1e-12) {
  if (tie_tolerance == 0) return(x - y)
  unit <- 10^floor(log10(max(abs(x), abs(y), 1e-300)))
  x <- x / unit
  y <- y / unit
  larger <- pmax(abs(x), abs(y))
  own <- -log10(tie_tolerance) - ifelse(larger == 0, 0, floor(log10(larger)) + 1)
  shared <- round(x - y, pmax(min(own), own - 3))
  ifelse(shared == 0, round(x - y, own), shared) * unit
}

# Scores as multiples of their last significant digit
whole_numbers <- function(scores, tie_tolerance) {
  largest <- max(abs(scores))
  if (tie_tolerance == 0 || largest == 0) return(scores)
  exponent <- floor(log10(largest)) + 1 + round(log10(tie_tolerance))
  if (exponent < 0) round(scores * 10^-exponent) else round(scores / 10^exponent)
}

# Whether a standard deviation is nothing but noise in values of this size
is_noise <- function(deviation, ...) deviation <= 1e-12 * max(abs(c(...)))

# Ranks within each dataset, 1 for the best; a missing score has none
ranks_of <- function(scores, greater_is_better = TRUE, tie_tolerance = 0) {
  scores <- without_noise(scores, tie_tolerance)
  t(apply(if (greater_is_better) -scores else scores, 1, rank, na.last = "keep"))
}

# One row for each value of a table of datasets and classifiers
long_table <- function(values) {
  data.frame(value = c(values), classifier = factor(col(values)), dataset = factor(row(values)))
}

# As long_table, of scores that differ by more than a constant for each classifier
long_table_of_varied <- function(scores) {
  from_first <- scores - scores[, 1]
  if (max(apply(from_first, 2, function(d) diff(range(d)))) <= 1e-11 * max(abs(scores))) stop("no variance is left")
  long_table(scores)
}

# All orders of 1 to k, one a row
orders_of <- function(k) {
  choices <- as.matrix(expand.grid(rep(list(seq_len(k)), k)))
  choices[apply(choices, 1, function(choice) length(unique(choice)) == k), , drop = FALSE]
}

# The statistic of a table in every order of the values of each row but the first
over_all_orders <- function(table, statistic) {
  orders <- orders_of(ncol(table))
  choices <- as.matrix(expand.grid(rep(list(seq_len(nrow(orders))), nrow(table) - 1)))
  stopifnot(nrow(choices) <= 4096)
  apply(choices, 1, function(choice) {
    for (i in seq_along(choice)) table[i + 1, ] <- table[i + 1, orders[choice[i], ]]
    statistic(table)
  })
}

# A matrix of what f says of each pair of 1 to k
all_pairs <- function(k, f) outer(seq_len(k), seq_len(k), Vectorize(f))

# A matrix for each of the named numbers that `one` returns of a pair
each_pair <- function(k, one) {
  pairs <- expand.grid(i = seq_len(k), j = seq_len(k))
  apply(mapply(one, pairs$i, pairs$j), 1, matrix, k, k, simplify = FALSE)
}

# p.adjust() with the lower-case words of Python. A hypothesis without a p-value counts: without n, p.adjust() drops it.
adjusted_pvalues <- function(pvalues, adjust) {
  stats::p.adjust(pvalues, if (adjust %in% c("bh", "by")) toupper(adjust) else adjust, n = length(pvalues))
}

# Matrices over all pairs, with the p-values adjusted of one triangle, or the columns of a control, adjusted; the place
# of the control itself is NaN, or 0 where it is a count
family_of <- function(matrices, control, adjust, counts = NULL) {
  raw <- matrices$unadjusted_pvalue
  matrices$pvalue <- raw
  if (is.null(control)) {
    pairs <- upper.tri(raw)
    matrices$pvalue[pairs] <- adjusted_pvalues(raw[pairs], adjust)
    matrices$pvalue[lower.tri(raw)] <- t(matrices$pvalue)[lower.tri(raw)]
    return(matrices)
  }
  column <- control + 1  # Python counts from 0
  matrices$pvalue[-column, column] <- adjusted_pvalues(raw[-column, column], adjust)
  Map(function(values, name) replace(values[, column], column, if (name %in% counts) 0 else NaN), matrices, names(matrices))
}

# The family of a post-hoc test of ranks
family_of_ranks <- function(statistic, unadjusted, adjust, control) {
  answer <- family_of(list(statistic = statistic, unadjusted_pvalue = unadjusted), control, adjust)
  answer$n_classifiers <- ncol(statistic)
  answer$control <- control  # none where all pairs are compared
  answer
}

# The family of a test of two classifiers, which `one` makes of the columns i and j
family_of_pairs <- function(scores, one, control, adjust, counts = NULL) {
  answer <- family_of(each_pair(ncol(scores), one), control, adjust, counts)
  c(answer, list(n_datasets = nrow(scores), n_classifiers = ncol(scores), adjustment = adjust))
}

# Bian, McAleer & Wong (2011): a tie is as likely as it was seen, a win as likely as a loss
trinomial_pvalue <- function(lead, n_ties, n, alternative) {
  counts <- expand.grid(wins = 0:n, losses = 0:n)
  counts <- counts[counts$wins + counts$losses <= n, ]
  side <- (n - n_ties) / (2 * n)
  density <- mapply(function(w, l) stats::dmultinom(c(w, l, n - w - l), prob = c(side, side, n_ties / n)), counts$wins, counts$losses)
  leads <- counts$wins - counts$losses
  switch(alternative,
    greater = sum(density[leads >= lead]),
    less = sum(density[leads <= lead]),
    min(1, 2 * sum(density[leads >= abs(lead)])))
}

t_pvalue <- function(t, df, alternative) {
  switch(alternative,
    "two-sided" = 2 * stats::pt(abs(t), df, lower.tail = FALSE),
    "less" = stats::pt(t, df),
    "greater" = stats::pt(t, df, lower.tail = FALSE))
}

t_limits <- function(mean, standard_error, df, alternative, confidence_level) {
  switch(alternative,
    "two-sided" = mean + standard_error * stats::qt((1 + c(-1, 1) * confidence_level) / 2, df),
    "less" = c(-Inf, mean + standard_error * stats::qt(confidence_level, df)),
    "greater" = c(mean - standard_error * stats::qt(confidence_level, df), Inf))
}

# McNemar's test of b against c discordant cases: binom.test, mcnemar.test, sums of dbinom, and prop.test of the discordant
# cases against 1/2 where mcnemar.test has no answer, one-sided; its chi-squared is the same
mcnemar_pvalue <- function(b, c, alternative, method, correction) {
  if (method == "exact") return(stats::binom.test(b, b + c, alternative = dotted(alternative))$p.value)
  if (method == "midp") {
    at <- stats::dbinom(b, b + c, 0.5) / 2
    greater <- sum(stats::dbinom(seq_len(c) + b, b + c, 0.5)) + at
    less <- sum(stats::dbinom(seq_len(b) - 1, b + c, 0.5)) + at
    return(switch(alternative, greater = greater, less = less, min(1, 2 * greater, 2 * less)))
  }
  if (alternative == "two-sided") {
    return(stats::mcnemar.test(matrix(c(0, c, b, 0), nrow = 2), correct = correction)$p.value)
  }
  # the advice to use many cases is not the question here
  suppressWarnings(stats::prop.test(b, b + c, p = 0.5, alternative = alternative, correct = correction)$p.value)
}

# Whether McNemar's test of so many wins and losses rejects; without any it never does
rejects <- function(wins, losses, alpha, alternative, method, correction) {
  n <- wins + losses
  if (n == 0) return(FALSE)
  p <- switch(method,
    "exact" = stats::binom.test(wins, n, alternative = dotted(alternative))$p.value,
    "midp" = {
      # half of the observed outcome: P(W > w) + P(W = w) / 2
      right <- stats::pbinom(wins, n, 0.5, lower.tail = FALSE) + stats::dbinom(wins, n, 0.5) / 2
      left <- stats::pbinom(wins - 1, n, 0.5) + stats::dbinom(wins, n, 0.5) / 2
      switch(alternative, "two-sided" = min(1, 2 * min(left, right)), "greater" = right, "less" = left)
    },
    "asymptotic" = {
      test <- stats::mcnemar.test(matrix(c(1, losses, wins, 1), 2), correct = correction)
      # mcnemar.test corrects even where wins equal losses; its chi-squared is then 0 for us
      root <- if (wins == losses) 0 else sign(wins - losses) * sqrt(unname(test$statistic))
      switch(alternative,
        "two-sided" = if (root == 0) 1 else unname(test$p.value),
        "greater" = stats::pnorm(root, lower.tail = FALSE),
        "less" = stats::pnorm(root))
    })
  # binom.test sums outcomes that are as likely but for 1e-7; sums of binary fractions are exact here
  p <= alpha
}

# The share of discordant cases of two classifiers whose accuracies differ and whose right answers are correlated
discordance_of <- function(difference, accuracy, correlation) {
  other <- accuracy + difference
  both <- accuracy * other + correlation * sqrt(accuracy * (1 - accuracy) * other * (1 - other))
  accuracy + other - 2 * both
}

# coin's test of an exchange of x and y within each pair, whose differences are d
exchange_test <- function(d, alternative, distribution = coin::exact()) {
  scores <- as.vector(rbind(pmax(d, 0), pmax(-d, 0)))
  sample <- factor(rep(c("x", "y"), length(d)), levels = c("x", "y"))
  coin::symmetry_test(scores ~ sample | gl(length(d), 2), distribution = distribution, alternative = dotted(alternative))
}

# levels and direction are fixed: left to itself, roc() turns a curve around that lies below the diagonal
roc_of <- function(y_true, score) pROC::roc(y_true, score, levels = c(0, 1), direction = "<", quiet = TRUE)

# stats::glm stops when the deviance no longer changes, which gives half of the digits; two more steps give the others
refitted <- function(fit, where = parent.frame()) {
  for (i in 1:2) {
    call <- fit$call
    call$start <- stats::coef(fit)
    fit <- eval(call, where)
  }
  fit
}

# DeLong's covariances of curves
covariances_of <- function(curves) {
  all_pairs(length(curves), function(i, j) {
    if (i == j) pROC::var(curves[[i]], method = "delong") else pROC::cov(curves[[i]], curves[[j]], method = "delong")
  })
}

# The degrees of freedom of the default: for fewer than 500 instances of a class, the variance is adjusted.
usual_degrees <- function(y_true, df) {
  if (df != "auto") df else if (min(sum(y_true == 1), sum(y_true == 0)) < 500) "adjusted" else "infinite"
}

# The variance of the difference of two areas, with Satterthwaite's degrees of freedom; pROC returns only the variance.
# A sample variance of n values with excess kurtosis g has the relative variance 2 / (n - 1) + g / n.
# With df = "adjusted", a pseudo-instance is added to the sum of squares of each class.
variance_of_areas <- function(y_true, x, y, df) {
  doubled <- function(one, others) colSums(2 * outer(others, one, "<") + outer(others, one, "==")) # whole numbers
  whole <- lapply(list(y_true == 1, y_true == 0), function(own) doubled(x[own], x[!own]) - doubled(y[own], y[!own]))
  sizes <- lengths(whole)
  largest <- max(mapply(function(difference, others) max(abs(difference)) / (2 * others), whole, rev(sizes)))
  added <- if (df == "adjusted") 0.1 * largest else 0
  parts <- rowSums(mapply(function(difference, n, others) {
    excess <- if (df == "adjusted" && n > 3) psych::kurtosi(difference, type = 2) else 0
    if (!is.finite(excess)) excess <- 0 # equal differences
    variance <- (stats::var(difference) / (2 * others)^2 + added / (n - 1)) / n
    c(variance, variance^2 * (2 / (n - 1) + max(excess, 0) / n))
  }, whole, sizes, rev(sizes)))
  list(variance = parts[1], df = 2 * parts[1]^2 / parts[2])
}

# The mean of each stratum with its cluster-robust variance, and both combined; noise of rounding is no variance.
# The jackknife over clusters is sandwich's HC3 of clusters: its (G - 1) / G and cadjust cancel, so cadjust is off.
clustered_strata <- function(values, groups, strata, average, largest = max(abs(values))) {
  unit <- if (largest > 0) 2^floor(log2(largest)) else 1 # so that no square is too small or too large
  values <- values / unit
  names <- unique(strata)
  means <- variances <- freedom <- cases <- squares_of_sizes <- numeric(length(names))
  for (i in seq_along(names)) {
    own <- strata == names[i]
    fit <- stats::lm(values[own] ~ 1)
    means[i] <- unname(stats::coef(fit))
    sizes <- table(as.character(groups[own]))
    cases[i] <- sum(own)
    squares_of_sizes[i] <- sum(sizes^2)
    variances[i] <- if (length(sizes) == 1) Inf else
      as.numeric(sandwich::vcovCL(fit, cluster = groups[own], type = "HC3", cadjust = FALSE))
    if (sqrt(variances[i]) <= 1e-12 * largest / unit) variances[i] <- 0
    freedom[i] <- if (length(sizes) == 1) 0 else bell_mccaffrey_df(as.character(groups[own]))
  }
  weights <- if (average == "micro") cases / sum(cases) else rep(1 / length(names), length(names))
  squares <- weights^2 * variances
  # never below the smallest, except for rounding errors
  satterthwaite <- function(v) max(min(freedom), sum(v)^2 / sum(v^2 / freedom))
  df <- sum(freedom)
  if (sum(squares) > 0) {
    # no more than where all cases vary alike and independently, or those of a cluster are all the same
    df <- satterthwaite(squares)
    if (length(names) > 1) {
      df <- min(df, satterthwaite(weights^2 / cases), satterthwaite(weights^2 * squares_of_sizes / cases^2))
    }
  }
  list(means = means * unit,
       answer = list(estimate = sum(weights * means) * unit, standard_error = sqrt(sum(squares)) * unit, df = df))
}

# Satterthwaite's degrees of freedom of that variance of a mean if all cases vary alike and independently, by the
# definition of Bell & McCaffrey (2002, section 4): the variance is the sum over clusters of (g' y)^2, where the column
# g of G is (I - H)_g' (I - H_gg)^-1 X_g / X'X, and the degrees of freedom are those of the matrix P = G'G
bell_mccaffrey_df <- function(groups) {
  n <- length(groups)
  hat <- matrix(1 / n, n, n)
  columns <- sapply(unique(groups), function(group) {
    own <- which(groups == group)
    adjusted <- solve(diag(length(own)) - hat[own, own, drop = FALSE], rep(1, length(own)))
    crossprod((diag(n) - hat)[own, , drop = FALSE], adjusted) / n
  })
  p <- crossprod(columns)
  # never below 1, except for rounding errors: there, qt has a relative error of 1e-13
  max(1, sum(diag(p))^2 / sum(p^2))
}
