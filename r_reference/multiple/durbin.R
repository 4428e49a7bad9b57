# F by lm() and anova() of the ranks. chi-squared by coin, from the permutations of the ranks within datasets, where
# nothing is tied or the table is complete; elsewhere from the sums of squares of anova(), because Conover's correction
# for ties takes all datasets together

durbin_test <- function(scores, method = "auto", n_resamples = 9999, rng = NULL, greater_is_better = TRUE,
                        tie_tolerance = 1e-12) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n_classifiers <- ncol(ranks)
  there <- !is.na(ranks)
  answer <- list(
    alternative = "two-sided",
    mean_ranks = colMeans(ranks, na.rm = TRUE),
    n_datasets = nrow(ranks),
    n_classifiers = n_classifiers,
    n_per_dataset = unique(rowSums(there)),
    n_per_classifier = unique(colSums(there)),
    n_per_pair = unique(crossprod(there)[upper.tri(diag(n_classifiers))])
  )
  long <- long_table(ranks)
  long <- long[!is.na(long$value), ]
  if (all(tapply(long$value, long$dataset, var) == 0)) return(answer)
  fit <- lm(if (nlevels(long$dataset) > 1) value ~ dataset + classifier else value ~ classifier, data = long)
  # no residual is left, but for noise
  exhausted <- df.residual(fit) == 0 || deviance(fit) < 1e-20 * sum(long$value^2)
  if (all(there) || !any(tapply(long$value, long$dataset, anyDuplicated))) {
    test <- coin::independence_test(value ~ classifier | dataset, data = long, teststat = "quadratic")
    answer$chi2 <- c(coin::statistic(test))
  } else {
    explained <- anova(fit)["classifier", "Sum Sq"]
    answer$chi2 <- (nrow(long) - nrow(ranks)) * explained / (explained + deviance(fit))
  }
  answer$chi2_pvalue <- pchisq(answer$chi2, n_classifiers - 1, lower.tail = FALSE)
  if (method == "chi2") {
    answer$statistic <- answer$chi2
    answer$pvalue <- answer$chi2_pvalue
    answer$method <- "chi2"
    answer$df <- n_classifiers - 1
  }
  if (exhausted) return(answer)
  table <- anova(fit)["classifier", ]
  answer$f <- table[["F value"]]
  answer$f_pvalue <- table[["Pr(>F)"]]
  if (method == "f") {
    answer$statistic <- answer$f
    answer$pvalue <- answer$f_pvalue
    answer$method <- "f"
    answer$df <- c(n_classifiers - 1, df.residual(fit))
  }
  answer
}
