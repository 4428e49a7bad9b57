# Bowker: mcnemar.test, which has NaN where a pair of classes has no case. Stuart-Maxwell: coin's mh_test, whose covariance is
# inverted in the general way, with its rank as degrees of freedom. Bhapkar: not in R's or Debian's packages.

square_table_test <- function(table, method = "bowker") {
  n <- sum(table)
  answer <- list(
    table = table, n_instances = n, n_discordant = n - sum(diag(table)), difference = (rowSums(table) - colSums(table)) / n
  )
  if (method == "bowker" && all((table + t(table))[upper.tri(table)] > 0)) {
    test <- stats::mcnemar.test(table, correct = FALSE)
    answer$statistic <- unname(test$statistic)
    answer$df <- unname(test$parameter)
    answer$pvalue <- test$p.value
  } else if (method == "stuart-maxwell") {
    # a class that is never exchanged has no variance, and coin says so in a warning
    test <- suppressWarnings(coin::mh_test(as.table(table)))
    answer$statistic <- as.numeric(coin::statistic(test))
    answer$df <- unname(test@statistic@df)
    # coin takes the p-value from 1, and loses the far tail
    answer$pvalue <- stats::pchisq(answer$statistic, answer$df, lower.tail = FALSE)
  }
  answer
}
