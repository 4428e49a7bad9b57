# Exact: coin. Its shift algorithm takes whole numbers only, so that decimals go in as multiples of their last digit.

permutation_test <- function(x, y, alternative = "two-sided") {
  d <- x - y
  n <- length(d)
  is_whole <- function(digits) all(abs(d * 10^digits - round(d * 10^digits)) < 1e-6)
  d <- round(d * 10^Find(is_whole, 0:4))
  answer <- list(statistic = mean(x - y), n_pairs = n, n_zero = sum(d == 0))
  # where nothing differs coin has no p-value
  if (all(d == 0)) return(answer)

  pvalue <- function(d) as.numeric(coin::pvalue(exchange_test(d, alternative)))
  answer$pvalue <- pvalue(d)
  answer$min_attainable_pvalue <- pvalue(if (alternative == "less") -abs(d) else abs(d))
  answer$method <- "exact"
  answer
}
