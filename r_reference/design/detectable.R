minimum_detectable_difference <- function(n, discordance = NULL, accuracy = NULL, correlation = 0, power = 0.8,
                                           alpha = 0.05, alternative = "two-sided", method = "exact",
                                           correction = TRUE, confidence_level = 0.95) {
  rejected <- lapply(0:n, function(m) {
    sapply(0:m, function(wins) rejects(wins, m - wins, alpha, alternative, method, correction))
  })
  share_at <- function(difference) {
    if (is.null(discordance)) discordance_of(difference, accuracy, correlation) else discordance
  }
  excess <- function(difference) {
    share <- share_at(difference)
    wins <- (share + difference) / (2 * share)
    sum(sapply(0:n, function(m) {
      stats::dbinom(m, n, share) * sum(stats::dbinom(0:m, m, wins)[rejected[[m + 1]]])
    })) - power
  }
  # where the difference exceeds the discordance, the accuracies leave no room for the correlation
  tried <- seq(1e-6, 1 - 1e-6, length.out = 1000) * (if (is.null(accuracy)) discordance else 1 - accuracy)
  possible <- tried[share_at(tried) > tried]
  difference <- stats::uniroot(excess, c(1e-6, max(possible)), tol = 1e-10)$root
  answer <- list(n = n, difference = difference, n_more_right = n * difference, discordance = share_at(difference))
  if (is.null(accuracy)) return(answer)
  limits <- suppressWarnings(stats::prop.test(n * accuracy, n, conf.level = confidence_level, correct = FALSE))$conf.int
  c(answer, list(half_width = diff(as.numeric(limits)) / 2))
}
