# F by aov() with an error stratum, corrected p-values by anova.mlm(), epsilons by the function behind its heading

rm_anova_test <- function(scores, correction = "none", tie_tolerance = 1e-12) {
  n <- nrow(scores)
  k <- ncol(scores)
  long <- long_table_of_varied(scores)
  table <- summary(aov(value ~ classifier + Error(dataset / classifier), long))[[2]][[1]]
  fit <- lm(scores ~ 1)
  corrected <- anova(fit, X = ~1, test = "Spherical")
  epsilon <- stats:::sphericity(SSD(fit), X = ~1, idata = data.frame(index = seq_len(k)))
  answer <- list(
    statistic = table[1, "F value"],
    alternative = "two-sided",
    df = table[, "Df"],
    correction = correction,
    greenhouse_geisser_epsilon = epsilon$GG.eps,
    sphericity_pvalue = table[1, "Pr(>F)"],
    partial_eta_squared = table[1, "Sum Sq"] / sum(table[, "Sum Sq"]),
    means = colMeans(scores),
    error_sd = sqrt(table[2, "Mean Sq"]),
    n_datasets = n,
    n_classifiers = k
  )
  is_noise <- corrected[1, "F"] < 1e-12  # what lm() leaves of means that are equal
  if (!is_noise) answer$greenhouse_geisser_pvalue <- corrected[1, "G-G Pr"]
  # 0 / 0 for two datasets, and nearly so where the residuals have as many dimensions as their number allows
  if (abs(n - 1 - (k - 1) * epsilon$GG.eps) > 1e-3) {
    answer$huynh_feldt_epsilon <- min(epsilon$HF.eps, 1)
    if (!is_noise) answer$huynh_feldt_pvalue <- corrected[1, "H-F Pr"]
  }
  answer$pvalue <- switch(correction,
    "none" = answer$sphericity_pvalue,
    "greenhouse-geisser" = answer$greenhouse_geisser_pvalue,
    "huynh-feldt" = answer$huynh_feldt_pvalue)
  # Of contrasts, because with X = ~1 mauchly.test() takes k for k - 1 in one place of the second term of its p-value.
  # Determinants of singular matrices are rounding noise.
  contrasts <- scores %*% sweep(contr.helmert(k), 2, sqrt(colSums(contr.helmert(k)^2)), "/")
  if (k > 2 && n >= k && rcond(cov(contrasts)) > 1e-6) {
    mauchly <- mauchly.test(lm(contrasts ~ 1))
    answer$mauchly_w <- unname(mauchly$statistic)
    answer$mauchly_pvalue <- mauchly$p.value
  }
  answer
}
