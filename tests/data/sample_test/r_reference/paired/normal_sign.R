normal_sign_test <- function(x, y, alternative = "two-sided") {
  wins <- sum(x > y)
  losses <- sum(x < y)
  z <- (wins - losses) / sqrt(max(wins + losses, 1))
  tails <- c("two-sided" = 2 * pnorm(-abs(z)), greater = pnorm(-z), less = pnorm(z))
  list(statistic = z, pvalue = if (wins + losses == 0) 1 else tails[[alternative]], n_wins = wins, n_losses = losses)
}
