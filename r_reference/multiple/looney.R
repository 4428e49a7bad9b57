# F by aov() of 0 and 1 with an error stratum for the samples

looney_f_test <- function(correct) {
  storage.mode(correct) <- "double"
  n <- nrow(correct)
  k <- ncol(correct)
  informative <- rowSums(correct) %% k != 0
  answer <- list(
    alternative = "two-sided", df = c(k - 1, (k - 1) * (n - 1)), accuracies = colMeans(correct), n_instances = n,
    n_classifiers = k, n_informative = sum(informative)
  )
  # no variance is left, of classifiers or beside them: aov() has noise in place of 0
  if (!any(informative) || (all(informative) && nrow(unique(correct)) == 1)) return(answer)
  table <- summary(stats::aov(value ~ classifier + Error(dataset / classifier), long_table(correct)))[[2]][[1]]
  answer$statistic <- if (length(unique(colSums(correct))) == 1) 0 else table[1, "F value"]
  answer$pvalue <- if (answer$statistic == 0) 1 else table[1, "Pr(>F)"]
  answer
}
