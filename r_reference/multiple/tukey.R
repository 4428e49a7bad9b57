# The datasets are blocks: TukeyHSD() of aov(), and Dunnett's contrasts by multcomp. See tukey.toml for the errors of both.

common_fields <- function(scores, fit) {
  list(
    alternative = "two-sided",
    adjustment = "single-step",
    df = df.residual(fit),
    standard_error = sqrt(2 * deviance(fit) / df.residual(fit) / nrow(scores)),
    means = colMeans(scores),
    n_datasets = nrow(scores),
    n_classifiers = ncol(scores)
  )
}

tukey_test <- function(scores, tie_tolerance = 1e-12, alpha = 0.05) {
  fit <- aov(value ~ dataset + classifier, long_table_of_varied(scores))
  k <- ncol(scores)
  # one row for each pair, the second minus the first: 2-1, 3-1, ..., 3-2, ...
  of_pairs <- TukeyHSD(fit, "classifier")$classifier
  pairs <- t(combn(k, 2))
  mean_difference <- matrix(0, k, k)
  mean_difference[pairs] <- -of_pairs[, "diff"]
  pvalue <- matrix(0, k, k)
  pvalue[pairs] <- of_pairs[, "p adj"]
  answer <- common_fields(scores, fit)
  statistic <- (mean_difference - t(mean_difference)) / answer$standard_error
  c(answer, list(
    statistic = statistic,
    pvalue = pvalue + t(pvalue) + diag(k),
    unadjusted_pvalue = 2 * pt(-abs(statistic), answer$df),
    mean_difference = mean_difference - t(mean_difference),
    honest_significant_difference = qtukey(alpha, k, answer$df, lower.tail = FALSE) / sqrt(2) * answer$standard_error
  ))
}

dunnett_test <- function(scores, control, tie_tolerance = 1e-12) {
  fit <- aov(value ~ dataset + classifier, long_table_of_varied(scores))
  k <- ncol(scores)
  others <- seq_len(k)[-(control + 1)]  # Python counts from 0
  contrasts <- multcomp::contrMat(rep(nrow(scores), k), "Dunnett", base = control + 1)
  family <- multcomp::glht(fit, linfct = multcomp::mcp(classifier = contrasts))
  # a fixed start, because the integral in more than two dimensions is a random one
  set.seed(1)
  found <- summary(family, test = multcomp::adjusted("single-step", abseps = 1e-6, maxpts = 1e6))$test
  row <- function(values) replace(rep(NaN, k), others, values)
  c(common_fields(scores, fit), list(
    statistic = row(found$tstat),
    pvalue = row(found$pvalues),
    unadjusted_pvalue = row(2 * pt(-abs(found$tstat), df.residual(fit))),
    mean_difference = row(found$coefficients),
    control = control
  ))
}
