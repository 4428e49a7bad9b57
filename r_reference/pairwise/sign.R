# Each pair by stats::binom.test of the wins, adjusted by stats::p.adjust. Ties: dropped, or
# split after ignoring an odd one, or kept as a third outcome.

pairwise_sign_test <- function(scores, control = NULL, adjust = "holm", alternative = "two-sided", ties = "drop") {
  one <- function(i, j) {
    wins <- sum(scores[, i] > scores[, j])
    losses <- sum(scores[, i] < scores[, j])
    n_ties <- nrow(scores) - wins - losses
    half <- if (ties == "split") n_ties %/% 2 else 0
    pvalue <- if (wins + losses == 0) 1 else if (ties == "keep") {
      trinomial_pvalue(wins - losses, n_ties, nrow(scores), dotted(alternative))
    } else {
      stats::binom.test(wins + half, wins + losses + 2 * half, alternative = dotted(alternative))$p.value
    }
    c(statistic = wins + if (ties == "split") n_ties / 2 else 0, unadjusted_pvalue = pvalue, n_wins = wins,
      win_difference = wins - losses, n_ties = n_ties)
  }
  family_of_pairs(scores, one, control, adjust, c("n_wins", "win_difference", "n_ties"))
}
