# Q: the residual sum of squares of lm on the differences of the subgroups with the weights 1 / variance, which is Cochran's.
# Table of the discordant instances: stats::fisher.test.

subgroup_test_from_estimates <- function(difference, standard_error) {
  fit <- stats::lm(difference ~ 1, weights = 1 / standard_error^2)
  q <- stats::deviance(fit)
  raw <- 2 * stats::pnorm(abs(difference / standard_error), lower.tail = FALSE)
  list(
    statistic = q, df = length(difference) - 1, pvalue = stats::pchisq(q, length(difference) - 1, lower.tail = FALSE),
    mean_difference = unname(stats::coef(fit)), mean_standard_error = sqrt(1 / sum(stats::weights(fit))),
    subgroup_pvalue = raw, adjusted_pvalue = stats::p.adjust(raw, "holm")
  )
}

subgroup_test <- function(x, y, subgroup, method = "asymptotic") {
  parts <- split(x - y, subgroup)
  # the variances with the divisor n: lm without weights and White's HC0
  errors <- vapply(parts, function(d) sqrt(sum(stats::residuals(stats::lm(d ~ 1))^2)) / length(d), 0)
  answer <- subgroup_test_from_estimates(vapply(parts, mean, 0), errors)
  answer$difference <- unname(vapply(parts, mean, 0))
  answer$standard_error <- unname(errors)
  # t.test in small subgroups
  raw <- ifelse(lengths(parts) < 20, vapply(parts, function(d) stats::t.test(d)$p.value, 0), answer$subgroup_pvalue)
  answer$subgroup_pvalue <- unname(raw)
  answer$adjusted_pvalue <- unname(stats::p.adjust(raw, "holm"))
  answer$n_instances <- unname(lengths(parts))
  if (all(c(x, y) %in% 0:1)) {
    answer$exact_pvalue <- stats::fisher.test(table(subgroup, factor(x - y, c(-1, 1)), exclude = NULL)[, 1:2])$p.value
  }
  answer
}

gap_change_test <- function(y_true, x, y, subgroup, rate = "tpr", method = "asymptotic") {
  kept <- if (rate == "tpr") y_true == 1 else if (rate == "fpr") y_true == 0 else rep(TRUE, length(y_true))
  if (rate == "accuracy") { x <- as.numeric(x == y_true); y <- as.numeric(y == y_true) }
  subgroup_test(x[kept], y[kept], subgroup[kept])
}
