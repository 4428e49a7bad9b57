# Print a line for each number, with both results. Two missing values agree.
agree <- function(what, evalstats, r, relative = 1e-9, slack = 0) {
  same <- abs(evalstats - r) <= relative * pmax(abs(evalstats), abs(r)) + slack
  same <- ifelse(is.na(evalstats) | is.na(r), is.na(evalstats) & is.na(r), same | evalstats == r)
  cat(sprintf("%-8s %-46s evalstats %-16.10g R %-16.10g\n", ifelse(same, "agrees", "DIFFERS"), what, evalstats, r), sep = "")
}

not_checked <- function(what, why) cat("NOT CHECKED: ", what, ", because ", why, "\n", sep = "")

# Ranks on each dataset, 1 for the best. If scores are missing, the ranks are scaled to the same range.
ranks_of <- function(better) {
  t(apply(-better, 1, function(x) {
    r <- rank(x, na.last = "keep")
    if (anyNA(x)) 1 + (r - 1) * (length(x) - 1) / (sum(!is.na(x)) - 1) else r
  }))
}

# Differences that agree to this number of significant digits of the scores are treated as equal (0: all bits count).
differences <- function(x, y, digits) {
  if (digits == 0) return(x - y)
  unit <- 10^floor(log10(max(abs(x), abs(y), 1e-300)))
  x <- x / unit
  y <- y / unit
  larger <- pmax(abs(x), abs(y))
  own <- digits - ifelse(larger == 0, 0, floor(log10(larger)) + 1)
  shared <- round(x - y, pmax(min(own), own - 3))
  ifelse(shared == 0, round(x - y, own), shared) * unit
}

# Scores as multiples of their last significant digit, so their sums are exact.
whole_numbers <- function(scores, digits) {
  largest <- max(abs(scores))
  if (digits == 0 || largest == 0) return(scores)
  exponent <- floor(log10(largest)) + 1 - digits
  if (exponent < 0) round(scores * 10^-exponent) else round(scores / 10^exponent)
}

aligned_ranks <- function(better, digits) {
  whole <- whole_numbers(-better, digits)
  matrix(rank(ncol(whole) * whole - rowSums(whole)), nrow(whole))
}

weighted_ranks <- function(ranks, better, digits) {
  whole <- whole_numbers(better, digits)
  rank(apply(whole, 1, max) - apply(whole, 1, min)) * (ranks - (ncol(ranks) + 1) / 2)
}

# Friedman's statistic with the correction for ties, by friedman.test().
friedman <- function(better) {
  test <- if (nrow(better) > 1) friedman.test(better) else list(statistic = NaN, p.value = NaN)
  if (is.nan(test$statistic)) list(statistic = 0, p.value = 1) else test  # all scores are tied
}

# The spread of the sums of aligned ranks, divided by the variances of the permuted rows.
aligned_statistic <- function(aligned) {
  nrow(aligned)^2 * (ncol(aligned) - 1) * var(colMeans(aligned)) / sum(apply(aligned, 1, var))
}

# The quadratic form of the weighted ranks, with the covariance of their permutations within datasets.
skillings_mack <- function(better) {
  k <- ncol(better)
  sums <- numeric(k)
  covariance <- matrix(0, k, k)
  for (i in seq_len(nrow(better))) {
    there <- !is.na(better[i, ])
    m <- sum(there)
    if (m < 2) next
    weighted <- (rank(-better[i, there]) - (m + 1) / 2) * sqrt(12 / (m + 1))
    sums[there] <- sums[there] + weighted
    covariance[there, there] <- covariance[there, there] + sum(weighted^2) / (m - 1) * (diag(m) - 1 / m)
  }
  parts <- svd(covariance)
  large <- parts$d > 1e-9 * max(parts$d, 1e-300)
  inverse <- parts$v[, large, drop = FALSE] %*% (t(parts$u[, large, drop = FALSE]) / parts$d[large])
  statistic <- c(sums %*% inverse %*% sums)
  list(statistic = statistic, p.value = if (any(large)) pchisq(statistic, sum(large), lower.tail = FALSE) else 1)
}

# Residual degrees of freedom and mean square of aov() after datasets and classifiers.
residual_of <- function(values) {
  fit <- aov(c(values) ~ factor(col(values)) + factor(row(values)))
  c(df = df.residual(fit), mean_square = deviance(fit) / df.residual(fit))
}

anova_of <- function(scores) {
  long <- data.frame(value = c(scores), classifier = factor(col(scores)), dataset = factor(row(scores)))
  summary(aov(value ~ classifier + Error(dataset / classifier), long))[[2]][[1]]
}

# Each of the following returns the p-value of a pair, before any adjustment, as a function of its two columns.

rank_z <- function(ranks, i, j) {
  k <- ncol(ranks)
  (sum(ranks[, i]) - sum(ranks[, j])) / nrow(ranks) / sqrt(k * (k + 1) / (6 * nrow(ranks)))
}

by_nemenyi <- function(ranks) {
  function(i, j) ptukey(abs(rank_z(ranks, i, j)) * sqrt(2), ncol(ranks), Inf, lower.tail = FALSE)
}

by_siegel_castellan <- function(ranks) function(i, j) 2 * pnorm(-abs(rank_z(ranks, i, j)))

by_miller <- function(ranks) function(i, j) pchisq(rank_z(ranks, i, j)^2, ncol(ranks) - 1, lower.tail = FALSE)

by_friedman_dunnett <- function(ranks) function(i, j) largest_of(abs(rank_z(ranks, i, j)), ncol(ranks) - 1)

# Tail probability of the largest of m normal variables with correlation 1/2, by its definition.
largest_of <- function(t, m) {
  integrand <- function(z) {
    outside <- pnorm(sqrt(2) * t + z, lower.tail = FALSE) + pnorm(sqrt(2) * t - z, lower.tail = FALSE)
    dnorm(z) * -expm1(m * log1p(-pmin(outside, 1)))
  }
  ends <- c(0, t / sqrt(2), sqrt(2) * t, sqrt(2) * t + 12)
  pieces <- mapply(function(from, to) {
    if (to > from) integrate(integrand, from, to, rel.tol = 1e-11, abs.tol = 0, subdivisions = 500)$value else 0
  }, ends[-4], ends[-1])
  min(1, 2 * sum(pieces))
}

by_conover <- function(ranks) {
  left <- residual_of(ranks)
  function(i, j) {
    t <- (mean(ranks[, i]) - mean(ranks[, j])) / sqrt(2 * left[["mean_square"]] / nrow(ranks))
    2 * pt(-abs(t), left[["df"]])
  }
}

# All sums of the rank differences of two classifiers over the datasets. Ranks are multiples of 1/2.
by_rank_sum <- function(ranks) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  middle <- 2 * n * (k - 1) + 1
  law <- numeric(2 * middle - 1)
  law[middle] <- 1
  for (row in seq_len(n)) {
    found <- table(2 * outer(ranks[row, ], ranks[row, ], "-")[!diag(k)]) / (k * (k - 1))
    moved <- numeric(length(law))
    for (step in names(found)) {
      by <- as.integer(step)
      from <- seq.int(max(1, 1 - by), min(length(law), length(law) - by))
      moved[from + by] <- moved[from + by] + found[[step]] * law[from]
    }
    law <- moved
  }
  distance <- abs(seq_along(law) - middle)
  function(i, j) min(1, sum(law[distance >= abs(2 * (sum(ranks[, i]) - sum(ranks[, j])))]))
}

# For permuted rows of ranks, the variance of a difference is twice the sum of the variances of the rows.
by_permuted_rows <- function(rows) {
  standard_error <- sqrt(2 * sum(apply(rows, 1, var)))
  function(i, j) {
    if (standard_error == 0) return(1)
    2 * pnorm(-abs(sum(rows[, i]) - sum(rows[, j])) / standard_error)
  }
}

by_tukey <- function(scores) {
  left <- residual_of(scores)
  function(i, j) {
    t <- (mean(scores[, i]) - mean(scores[, j])) / sqrt(2 * left[["mean_square"]] / nrow(scores))
    ptukey(abs(t) * sqrt(2), ncol(scores), left[["df"]], lower.tail = FALSE)
  }
}

# Tail probability of the largest of k - 1 t variables with a common estimate of the variance.
by_dunnett <- function(scores) {
  left <- residual_of(scores)
  df <- left[["df"]]
  function(i, j) {
    t <- abs(mean(scores[, i]) - mean(scores[, j])) / sqrt(2 * left[["mean_square"]] / nrow(scores))
    if (t == 0) return(1)
    at <- function(s) 2 * s * df * dchisq(df * s^2, df) * vapply(s * t, largest_of, 0, m = ncol(scores) - 1)
    ends <- sqrt(qchisq(c(1e-14, 0.5), df) / df)
    tail <- sqrt(qchisq(1e-14, df, lower.tail = FALSE) / df)
    lower <- integrate(at, ends[1], ends[2], rel.tol = 1e-8, abs.tol = 0, subdivisions = 500)$value
    lower + integrate(at, ends[2], tail, rel.tol = 1e-8, abs.tol = 0, subdivisions = 500)$value
  }
}

by_differences <- function(scores, digits, one) {
  function(i, j) {
    both <- !is.na(scores[, i]) & !is.na(scores[, j])
    if (any(both)) one(differences(scores[both, i], scores[both, j], digits)) else NaN
  }
}

# Step-down from the largest |t| of all pairs, under all signs of the datasets. The first sign may stay. t increases
# with a cosine.
by_max_t <- function(scores, digits, first, second, of = identity) {
  d <- mapply(function(i, j) of(differences(scores[, i], scores[, j], digits)), first, second)
  part <- apply(d, 2, function(x) if (any(x != 0)) x / sqrt(sum(x^2)) else x)
  signs <- cbind(1, as.matrix(expand.grid(rep(list(c(-1, 1)), nrow(d) - 1))))
  observed <- abs(colSums(part))
  largest <- numeric(nrow(signs))
  share <- numeric(length(observed))
  for (at in order(observed)) {
    largest <- pmax(largest, abs(signs %*% part[, at]))
    share[at] <- mean(largest >= observed[at] - 1e-9)
  }
  from_the_top <- rev(order(observed))
  share[from_the_top] <- cummax(share[from_the_top])
  function(i, j) share[first == i & second == j]
}

# The range of the column sums under all permutations of the scores of each dataset.
by_range <- function(scores) {
  permutations <- function(x) {
    if (length(x) < 2) return(matrix(x, 1))
    do.call(rbind, lapply(seq_along(x), function(at) cbind(x[at], permutations(x[-at]))))
  }
  sums <- matrix(0, 1, ncol(scores))
  for (row in seq_len(nrow(scores))) {
    added <- permutations(scores[row, ])
    sums <- sums[rep(seq_len(nrow(sums)), nrow(added)), ] + added[rep(seq_len(nrow(added)), each = nrow(sums)), ]
  }
  ranges <- apply(sums, 1, max) - apply(sums, 1, min)
  function(i, j) mean(ranges >= abs(sum(scores[, i] - scores[, j])) - 1e-9 * max(abs(scores)))
}

signed_ranks <- function(d) replace(d, d != 0, sign(d[d != 0]) * rank(abs(d[d != 0])))

# The sum of the signed ranks, divided by the root of the sum of their squares.
z_of_ranks <- function(d) if (all(d == 0)) 0 else sum(signed_ranks(d)) / sqrt(sum(signed_ranks(d)^2))

# The probabilities of at most and of at least W+, given the ties. Each rank counts with probability 1/2.
signed_rank_tails <- function(d) {
  d <- d[d != 0]
  if (length(d) == 0) return(c(less = 1, greater = 1))
  ranks <- rank(abs(d))
  probability <- 1
  for (r in 2 * ranks) probability <- (c(probability, numeric(r)) + c(numeric(r), probability)) / 2
  twice <- 2 * sum(ranks[d > 0])
  c(less = sum(probability[1:(twice + 1)]), greater = sum(probability[(twice + 1):length(probability)]))
}

signed_rank <- function(d) min(1, 2 * signed_rank_tails(d))

# One-sided p-values of the differences from a margin.

signed_rank_side <- function(d, side) min(1, signed_rank_tails(d)[[side]])

sign_side <- function(d, side) {
  if (all(d == 0)) 1 else binom.test(sum(d > 0), sum(d != 0), alternative = side)$p.value
}

t_side <- function(ratio) {
  function(d, side) {
    if (all(d == 0)) 1 else if (all(d == d[1])) NaN else pt(corrected_t(d, ratio), length(d) - 1, lower.tail = side == "less")
  }
}

# Under the null hypothesis, the classifier is worse than the reference by the margin.
against_margin <- function(better, digits, margin, one) {
  function(side) function(i, j) {
    both <- !is.na(better[, i]) & !is.na(better[, j])
    one(differences(better[both, i], better[both, j] - margin, digits), side)
  }
}

limits_of_t <- function(scores, ratio, alpha) {
  function(i, j) {
    d <- scores[, i] - scores[, j]
    error <- sqrt((1 / length(d) + ratio) * var(d))
    mean(d) + c(0, -1, 1) * qt(1 - alpha, length(d) - 1) * error
  }
}

signed_rank_normal <- function(d) {
  if (all(d == 0)) 1 else wilcox.test(d[d != 0], exact = FALSE, correct = TRUE)$p.value
}

sign_of <- function(d) if (all(d == 0)) 1 else binom.test(sum(d > 0), sum(d != 0))$p.value

mean_of <- function(d) {
  if (all(d == 0)) 1 else if (all(d == d[1])) NaN else t.test(d)$p.value
}

t_of <- function(d) {
  if (all(d == 0)) 0 else if (all(d == d[1])) sign(d[1]) * Inf else unname(t.test(d)$statistic)
}

# Nadeau and Bengio: the variance allows for shared training instances by the ratio of test to training instances.
corrected_t <- function(d, ratio) mean(d) / sqrt((1 / length(d) + ratio) * var(d))

corrected_mean_of <- function(d, ratio) {
  if (all(d == 0)) 1 else if (all(d == d[1])) NaN else 2 * pt(-abs(corrected_t(d, ratio)), length(d) - 1)
}

# The differences at each size. Differences that agree to this number of digits are equal and have no variance.
differences_at_sizes <- function(x, y, digits) {
  d <- x - y
  for (j in seq_len(ncol(d))) {
    rounded <- differences(x[, j], y[, j], digits)
    if (all(rounded == rounded[1])) d[, j] <- rounded
  }
  d
}

corrected_errors <- function(scores, ratio) {
  sqrt((1 / nrow(scores) + ratio) * apply(scores, 2, function(s) if (all(s == s[1])) 0 else var(s)))
}

corrected_t_at_sizes <- function(d, ratio) ifelse(apply(d == 0, 2, all), 0, colMeans(d) / corrected_errors(d, ratio))

# The probability that the largest |t| of the sizes with a variance is at least q.
largest_t <- function(d) {
  known <- d[, apply(d, 2, function(x) any(x != x[1])), drop = FALSE]
  function(q) {
    set.seed(1)
    limits <- rep(abs(q), ncol(known))
    how <- mvtnorm::GenzBretz(maxpts = 5e6, abseps = 1e-6)
    1 - c(mvtnorm::pmvt(-limits, limits, df = nrow(d) - 1, corr = cor(known), algorithm = how))
  }
}

largest_t_pvalues <- function(d, ratio, pvalues) {
  t <- corrected_t_at_sizes(d, ratio)
  ifelse(corrected_errors(d, ratio) == 0, pvalues, vapply(t, largest_t(d), 0))
}

# Alpaydin's F. The rows of d are repeats, and the columns are the two folds.
five_by_two <- function(d) {
  f <- sum(d^2) / (2 * sum((d[, 1] - d[, 2])^2 / 2))
  if (all(d == 0)) 1 else if (is.finite(f)) pf(f, 10, 5, lower.tail = FALSE) else NaN
}

# DeLong, DeLong and Clarke-Pearson: the variance of a difference of areas from the placements of the instances.
areas_of <- function(positive, negative) {
  at <- outer(positive, negative, function(x, y) (x > y) + (x == y) / 2)
  list(area = mean(at), positive = rowMeans(at), negative = colMeans(at))
}

# The relative variance of a sample variance is computed from the excess kurtosis of the sample.
relative_variance <- function(values) {
  n <- length(values)
  squares <- (values - mean(values))^2
  g2 <- n * sum(squares^2) / sum(squares)^2 - 3
  excess <- if (n > 3 && max(squares) > 1e-20) ((n + 1) * g2 + 6) * (n - 1) / ((n - 2) * (n - 3)) else 0
  2 / (n - 1) + max(excess, 0) / n
}

# The variance of a difference of areas, from the differences of the placements. If a class has few instances, a
# pseudo-instance is added to each sum of squares, and the degrees of freedom are those of Satterthwaite with the
# estimated kurtosis.
variance_of_difference <- function(positive, negative, few) {
  added <- if (few) 0.1 * max(abs(positive), abs(negative)) else 0
  v <- (var(positive) + added / (length(positive) - 1)) / length(positive)
  w <- (var(negative) + added / (length(negative) - 1)) / length(negative)
  df <- if (few) 2 * (v + w)^2 / (v^2 * relative_variance(positive) + w^2 * relative_variance(negative)) else Inf
  list(variance = v + w, df = df)
}

difference_of_areas <- function(y_true, y_score, few) {
  areas <- lapply(seq_len(ncol(y_score)), function(j) areas_of(y_score[y_true, j], y_score[!y_true, j]))
  function(i, j) {
    differences <- function(class) areas[[i]][[class]] - areas[[j]][[class]]
    of_pair <- variance_of_difference(differences("positive"), differences("negative"), few)
    c(difference = areas[[i]]$area - areas[[j]]$area, of_pair)
  }
}

by_delong <- function(y_true, y_score, few) {
  found <- difference_of_areas(y_true, y_score, few)
  function(i, j) {
    of_pair <- found(i, j)
    if (of_pair$variance < 1e-20) return(if (abs(of_pair$difference) < 1e-12) 1 else NaN)
    2 * pt(-abs(of_pair$difference) / sqrt(of_pair$variance), of_pair$df)
  }
}

limits_by_delong <- function(y_true, y_score, few, alpha) {
  found <- difference_of_areas(y_true, y_score, few)
  function(i, j) {
    of_pair <- found(i, j)
    half <- qt(1 - alpha / 2, of_pair$df) * sqrt(of_pair$variance)
    pmin(pmax(of_pair$difference + c(-1, 1) * half, -1), 1)
  }
}

# The areas of each treatment (row) and reader (column), with their mean squares and mean covariances. The part of the
# instances is the mean variance of a difference of treatments for these readers, with the fewest degrees of freedom.
areas_of_readers <- function(y_true, scores, n_treatments) {
  areas <- lapply(seq_len(ncol(scores)), function(j) areas_of(scores[y_true, j], scores[!y_true, j]))
  of_part <- function(part) do.call(cbind, lapply(areas, function(one) one[[part]]))
  covariance <- cov(of_part("positive")) / sum(y_true) + cov(of_part("negative")) / sum(!y_true)
  n_readers <- ncol(scores) / n_treatments
  treatment <- rep(seq_len(n_treatments), each = n_readers)
  reader <- rep(seq_len(n_readers), n_treatments)
  same_treatment <- outer(treatment, treatment, "==")
  same_reader <- outer(reader, reader, "==")
  auc <- matrix(c(of_part("area")), n_treatments, byrow = TRUE)
  interaction <- if (n_readers > 1) residual_of(auc)[["mean_square"]] else NaN
  components <- c(
    n_readers * var(rowMeans(auc)),
    if (is.nan(interaction) || interaction > 1e-28) interaction else 0,  # smaller values are rounding error
    mean(covariance[same_treatment & same_reader]),
    mean(covariance[!same_treatment & same_reader]),
    mean(covariance[same_treatment & !same_reader]),
    mean(covariance[!same_treatment & !same_reader])
  )
  of_treatments <- function(part) {
    sapply(seq_len(n_treatments), function(i) rowMeans(of_part(part)[, treatment == i, drop = FALSE]))
  }
  positive <- of_treatments("positive")
  negative <- of_treatments("negative")
  few <- min(sum(y_true), sum(!y_true)) < 500
  of_pairs <- apply(combn(n_treatments, 2), 2, function(of) {
    unlist(variance_of_difference(positive[, of[1]] - positive[, of[2]], negative[, of[1]] - negative[, of[2]], few))
  })
  df <- if (all(is.nan(of_pairs["df", ]))) Inf else min(of_pairs["df", ], na.rm = TRUE)
  list(auc = auc, components = components, instances = c(mean(of_pairs["variance", ]) * n_readers / 2, df))
}

# Obuchowski and Rockette: F of the treatments. The p-value for sampled readers is a mean over the fiducial
# distribution of the true mean square of the interaction of treatments and readers.
obuchowski_rockette <- function(found, sampled) {
  n_treatments <- nrow(found$auc)
  n_readers <- ncol(found$auc)
  parts <- found$components
  excess <- if (n_readers > 1) max(parts[5] - parts[6], 0) else 0
  df_readers <- (n_treatments - 1) * (n_readers - 1)
  of_instances <- parts[3] - parts[4] + (n_readers - 1) * excess
  added <- max(found$instances[1] - of_instances, 0)
  df <- if (sampled == "readers") df_readers else found$instances[2]
  denominator <- switch(sampled,
    both = parts[2] + n_readers * excess + added,
    cases = of_instances + added,
    readers = parts[2]
  )
  rest <- denominator - parts[2]
  tail <- function(f, first) pf(f, first, df, lower.tail = FALSE)
  if (sampled == "both" && parts[2] > 0 && rest < 1e-14 * denominator) {
    tail <- function(f, first) pf(f, first, df_readers, lower.tail = FALSE)
  } else if (sampled == "both" && parts[2] > 0) {
    tail <- function(f, first) {
      at <- function(chi) {
        total <- df_readers * parts[2] / chi^2 + rest
        given <- pf(f * denominator / total, first, df * (total / rest)^2, lower.tail = FALSE)
        2 * chi * dchisq(chi^2, df_readers) * given
      }
      integrate(at, 0, sqrt(qchisq(1e-20, df_readers, lower.tail = FALSE)), rel.tol = 1e-10, abs.tol = 1e-14)$value
    }
  }
  statistic <- parts[1] / denominator
  list(
    statistic = statistic,
    df = df,
    p.value = tail(statistic, n_treatments - 1),
    quantile = function(alpha) uniroot(function(t) tail(t^2, 1) - alpha, c(0, 9), extendInt = "downX", tol = 1e-12)$root,
    standard_error = sqrt(2 * denominator / n_readers)
  )
}

# A column for each model: 1 if it is the first of the battle, -1 if it is the second. The first column is omitted.
design_of_battles <- function(model_a, model_b) {
  all <- seq_len(max(model_a, model_b))
  (outer(model_a, all, "==") - outer(model_b, all, "=="))[, -1, drop = FALSE]
}

# Logistic regression by glm(), with the robust covariance over rows, or over one or two clusterings.
robust_logistic <- function(design, outcome, weight, clusters, corrected) {
  data <- data.frame(outcome = outcome, weight = weight)
  data$design <- design
  fit <- glm(outcome ~ 0 + design, quasibinomial(), data, weight, control = glm.control(epsilon = 1e-15, maxit = 200))
  p <- fitted(fit)
  scores <- design * (weight * (outcome - p))
  squares <- function(cluster) {
    sums <- rowsum(scores, cluster)
    crossprod(sums) * if (corrected) nrow(sums) / (nrow(sums) - 1) else 1
  }
  middle <- if (length(clusters) == 0) crossprod(scores) else squares(clusters[[1]])
  if (length(clusters) == 2) middle <- middle + squares(clusters[[2]]) - squares(do.call(paste, clusters))
  inverse <- solve(crossprod(design * sqrt(weight * p * (1 - p))))
  list(fit = fit, estimate = unname(coef(fit)), covariance = inverse %*% middle %*% inverse, ways = length(clusters))
}

# The strengths of the models with mean 0, and the other coefficients. With two clusterings, negative eigenvalues are 0.
strengths_of <- function(fit, k) {
  n_terms <- length(fit$estimate) - (k - 1)
  to_strengths <- matrix(0, k + n_terms, k - 1 + n_terms)
  to_strengths[seq_len(k), seq_len(k - 1)] <- (diag(k) - 1 / k)[, -1]
  if (n_terms > 0) to_strengths[k + seq_len(n_terms), k - 1 + seq_len(n_terms)] <- diag(n_terms)
  covariance <- to_strengths %*% fit$covariance %*% t(to_strengths)
  if (fit$ways == 2) {
    parts <- eigen((covariance + t(covariance)) / 2)
    covariance <- parts$vectors %*% (pmax(parts$values, 0) * t(parts$vectors))
  }
  list(estimate = c(to_strengths %*% fit$estimate), covariance = covariance)
}

bias_reduced <- function(fit, cluster) as.matrix(clubSandwich::vcovCR(fit$fit, cluster = cluster, type = "CR2"))

errors_of_pairs <- function(covariance, first, second) {
  variances <- diag(covariance)
  sqrt(variances[first] + variances[second] - 2 * covariance[cbind(first, second)])
}

win_rate_of <- function(model_a, model_b, outcome, weight) {
  function(i, j) {
    won <- sum((weight * outcome)[model_a == i & model_b == j], (weight * (1 - outcome))[model_a == j & model_b == i])
    won / sum(weight[model_a %in% c(i, j) & model_b %in% c(i, j)])
  }
}

# The win rate of a model against the control, then the win rate at equal length of the answers with its interval.
equal_length <- function(model_a, model_b, outcome, longer, clusters, model, control, alpha) {
  is_first <- model_a == model & model_b == control
  own <- is_first | (model_a == control & model_b == model)
  won <- ifelse(is_first, outcome, 1 - outcome)[own]
  d <- ifelse(is_first, longer, -longer)[own]
  groups <- lapply(clusters, function(one) one[own])
  fit <- robust_logistic(cbind(1, tanh(d / sd(d))), won, rep(1, length(won)), groups, TRUE)
  df <- if (length(groups) == 0) Inf else length(unique(groups[[1]])) - 1
  reach <- qt(1 - alpha / 2, max(df, 1)) * sqrt(fit$covariance[1, 1])
  c(mean(won), plogis(fit$estimate[1] + c(0, -1, 1) * reach))
}

# Generalized estimating equations: the coefficients, the correlation of two rows of a cluster with the divisors of the
# package gee, and the bias-reduced covariance of Mancl and DeRouen.
estimating_equations <- function(y, x, cluster, is_binomial, is_exchangeable) {
  groups <- split(seq_along(y), cluster)
  n_pairs <- sum(choose(lengths(groups), 2))
  beta <- unname(glm.fit(x, y, family = if (is_binomial) quasibinomial() else gaussian())$coefficients)
  correlation <- 0
  for (step in 1:500) {
    mu <- if (is_binomial) plogis(c(x %*% beta)) else c(x %*% beta)
    spread <- if (is_binomial) sqrt(mu * (1 - mu)) else rep(1, length(y))
    r <- (y - mu) / spread
    if (is_exchangeable) {
      products <- sum(vapply(groups, function(own) (sum(r[own])^2 - sum(r[own]^2)) / 2, 0))
      correlation <- products / (sum(r^2) / (length(y) - ncol(x))) / (n_pairs - ncol(x))
    }
    parts <- lapply(groups, function(own) {
      within <- correlation + (1 - correlation) * diag(length(own))
      d <- x[own, , drop = FALSE] * spread[own]^2
      inverse <- solve(outer(spread[own], spread[own]) * within)
      list(d = d, inverse = inverse, weighted = t(d) %*% inverse, r = y[own] - mu[own])
    })
    inverse <- solve(Reduce(`+`, lapply(parts, function(one) one$weighted %*% one$d)))
    move <- c(inverse %*% Reduce(`+`, lapply(parts, function(one) one$weighted %*% one$r)))
    if (max(abs(x %*% move)) < 1e-12 * max(abs(x %*% beta), abs(y))) break
    beta <- beta + move
  }
  middle <- Reduce(`+`, lapply(parts, function(one) {
    leverage <- one$d %*% inverse %*% one$weighted
    tcrossprod(one$weighted %*% solve(diag(length(one$r)) - leverage, one$r))
  }))
  list(estimate = beta, correlation = correlation, covariance = inverse %*% middle %*% inverse)
}

# The difference of the predictions of both models for each row: its mean over clusters, and its standard error.
standardized_difference <- function(fit, x, cluster, is_binomial) {
  weight <- 1 / c(table(cluster))[as.character(cluster)] / length(unique(cluster))
  side <- function(is_candidate) {
    x[, 2] <- is_candidate
    linear <- c(x %*% fit$estimate)
    if (!is_binomial) return(c(sum(weight * linear), colSums(weight * x)))
    c(sum(weight * plogis(linear)), colSums(weight * dlogis(linear) * x))
  }
  found <- side(1) - side(0)
  c(found[1], sqrt(c(found[-1] %*% fit$covariance %*% found[-1])))
}

# Cochran's Q of the answers. `times` is the number of instances with the answers of a row.
cochran <- function(right, times) {
  k <- ncol(right)
  sums <- colSums(right * times)
  q <- (k - 1) * (k * sum(sums^2) - sum(sums)^2) / sum(times * rowSums(right) * (k - rowSums(right)))
  if (is.nan(q)) c(statistic = 0, p.value = 1) else c(statistic = q, p.value = pchisq(q, k - 1, lower.tail = FALSE))
}

# Adjusted p-values of a family, by p.adjust() or by their definitions. Missing p-values are not rejected.

adjusted <- function(p, method, k) {
  given <- p
  p[is.na(p)] <- 1
  order <- order(p)
  m <- length(p)
  left <- m:1
  sorted <- p[order]
  at_least_one <- function(n) -expm1(n * log1p(-sorted))
  result <- switch(method,
    none = sorted,
    bonferroni = , holm = , hochberg = , hommel = p.adjust(sorted, method),
    bh = , by = p.adjust(sorted, toupper(method)),
    sidak = at_least_one(m),
    `holm-sidak` = , holland = cummax(at_least_one(left)),
    finner = cummax(at_least_one(m / seq_len(m))),
    li = cummax(pmin(ifelse(sorted == sorted[m], sorted, sorted / (sorted + 1 - sorted[m])), sorted[m])),
    shaffer = cummax(pmin(1, true_hypotheses(k, left) * sorted))
  )
  p[order] <- pmin(1, result)
  ifelse(is.na(given), NaN, p)
}

# Shaffer: the maximum number of hypotheses that can be true together, for each number of remaining hypotheses.
true_hypotheses <- function(k, left) {
  possible <- list(0, 0)  # for 0 and for 1 classifier
  for (size in seq_len(k)[-1]) {
    found <- lapply(seq_len(size), function(j) choose(j, 2) + possible[[size - j + 1]])
    possible[[size + 1]] <- sort(unique(unlist(found)))
  }
  vapply(left, function(n) max(possible[[k + 1]][possible[[k + 1]] <= n]), 0)
}

# The mean score on questions, its standard error by the jackknife over the clusters of each benchmark, and the degrees
# of freedom of Bell & McCaffrey. For several benchmarks, the degrees of freedom are those of Satterthwaite, limited by
# the sizes. A sum of deviations within rounding error is 0.
of_clusters <- function(d, cluster, stratum, weights) {
  parts <- sapply(sort(unique(stratum)), function(s) {
    own <- stratum == s
    size <- as.vector(table(factor(cluster[own])))
    r <- as.vector(tapply(d[own] - mean(d[own]), factor(cluster[own]), sum))
    r[abs(r) < 1e-12 * max(1, abs(d))] <- 0
    n <- sum(size)
    u <- size / (n - size)
    df <- if (length(size) == 1) 0 else sum(u)^2 / (sum(u^2) + sum(u^2)^2 - sum(u^4))
    c(mean(d[own]), (1 - 1 / length(size)) * sum((r / (n - size))^2), df, 1 / n, sum(size^2) / n^2)
  })
  satterthwaite <- function(v) sum(v)^2 / sum(v^2 / parts[3, ])
  squares <- weights^2 * parts[2, ]
  df <- if (is.na(sum(squares))) NaN else if (sum(squares) > 0) satterthwaite(squares) else sum(parts[3, ])
  if (isTRUE(sum(squares) > 0) && ncol(parts) > 1) {
    df <- min(df, satterthwaite(weights^2 * parts[4, ]), satterthwaite(weights^2 * parts[5, ]))
  }
  mean <- sum(weights * parts[1, ])
  c(if (abs(mean) < 1e-14 * max(1, abs(d))) 0 else mean, sqrt(sum(squares)), df)
}

by_clusters <- function(found) {
  if (is.na(found[2])) return(NaN)
  if (found[2] == 0) return(if (found[1] == 0) 1 else NaN)
  2 * pt(-abs(found[1] / found[2]), found[3])
}

# All signs of the clusters: the proportion of sign vectors whose mean is at least as far from 0.
by_signs <- function(d, cluster, stratum, weights) {
  of_case <- (weights * length(d) / tabulate(stratum + 1))[stratum + 1]
  totals <- as.vector(tapply(d * of_case, factor(paste(stratum, cluster)), sum))
  totals <- totals[abs(totals) > 1e-12]
  # if all sums have one size, the number of positive signs is binomial
  if (length(totals) > 0 && diff(range(abs(totals))) <= 1e-9 * max(abs(totals))) {
    return(binom.test(sum(totals > 0), length(totals))$p.value)
  }
  sums <- 0
  for (total in totals) sums <- c(sums + total, sums - total)
  mean(abs(sums) >= abs(sum(totals)) - 1e-9)
}

# All exchanges of whole clusters between two classifiers: the proportion of exchanges after which the difference of a
# metric is at least as far from 0. An exchange with an undefined metric counts.
by_exchanges <- function(metric, y_true, x, y, cluster) {
  place <- match(cluster, unique(cluster))
  every <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), max(place))))
  distance <- apply(every, 1, function(exchanged) {
    of_y <- exchanged[place]
    abs(metric(y_true, ifelse(of_y, y, x)) - metric(y_true, ifelse(of_y, x, y)))
  })
  mean(is.na(distance) | distance >= abs(metric(y_true, x) - metric(y_true, y)) - 1e-11)
}

# The limits of the difference of a metric by the jackknife of the clusters, with their degrees of freedom.
limits_without_clusters <- function(metric, y_true, x, y, cluster, alpha) {
  difference <- function(kept) metric(y_true[kept], x[kept]) - metric(y_true[kept], y[kept])
  whole <- difference(rep(TRUE, length(y_true)))
  without <- vapply(unique(cluster), function(one) difference(cluster != one), 0)
  size <- as.vector(table(cluster))
  u <- size / (sum(size) - size)
  df <- sum(u)^2 / (sum(u^2) + sum(u^2)^2 - sum(u^4))
  error <- sqrt((1 - 1 / length(size)) * sum((without - whole)^2))
  whole + c(-1, 1) * qt(1 - alpha / 2, df) * error
}
