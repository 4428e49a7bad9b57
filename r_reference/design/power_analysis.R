# the probability of a rejection given the number of informative cases, from R's own tests of each outcome
.rejects <- function(wins, losses, alpha, alternative, method, correction) {
  n <- wins + losses
  if (n == 0) return(FALSE)
  p <- switch(method,
    "exact" = stats::binom.test(wins, n, alternative = sub("-", ".", alternative, fixed = TRUE))$p.value,
    "midp" = {
      # half of the observed outcome: P(W > w) + P(W = w) / 2
      right <- stats::pbinom(wins, n, 0.5, lower.tail = FALSE) + stats::dbinom(wins, n, 0.5) / 2
      left <- stats::pbinom(wins - 1, n, 0.5) + stats::dbinom(wins, n, 0.5) / 2
      switch(alternative, "two-sided" = min(1, 2 * min(left, right)), "greater" = right, "less" = left)
    },
    "asymptotic" = {
      test <- stats::mcnemar.test(matrix(c(1, losses, wins, 1), 2), correct = correction)
      # mcnemar.test corrects even where wins equal losses; its chi-squared is then 0 for us
      root <- if (wins == losses) 0 else sign(wins - losses) * sqrt(unname(test$statistic))
      switch(alternative,
        "two-sided" = if (root == 0) 1 else unname(test$p.value),
        "greater" = stats::pnorm(root, lower.tail = FALSE),
        "less" = stats::pnorm(root))
    })
  # binom.test sums outcomes that are as likely but for 1e-7; sums of binary fractions are exact here
  p <= alpha
}

.wins_power <- function(n, share, win_probability, alpha, alternative, method, correction) {
  sum(sapply(0:n, function(m) {
    wins <- 0:m
    is_rejected <- sapply(wins, function(w) .rejects(w, m - w, alpha, alternative, method, correction))
    stats::dbinom(m, n, share) * sum(stats::dbinom(wins, m, win_probability)[is_rejected])
  }))
}

.t_power <- function(n, ncp, alpha, alternative) {
  critical <- stats::qt(alpha / (if (alternative == "two-sided") 2 else 1), n - 1, lower.tail = FALSE)
  right <- stats::pt(critical, n - 1, ncp, lower.tail = FALSE)
  left <- stats::pt(-critical, n - 1, ncp)
  switch(alternative, "two-sided" = right + left, "greater" = right, "less" = left)
}

.power <- function(test, n, alpha, alternative, effect, win_probability, tie_rate, difference, discordance, accuracy,
                   correlation, n_train, n_test, method, correction) {
  switch(test,
    "sign" = .wins_power(n, 1 - tie_rate, win_probability, alpha, alternative, "exact", TRUE),
    "mcnemar" = {
      if (is.null(discordance)) {
        other <- accuracy + difference
        both <- accuracy * other + correlation * sqrt(accuracy * (1 - accuracy) * other * (1 - other))
        discordance <- accuracy + other - 2 * both
      }
      .wins_power(n, discordance, (discordance + difference) / (2 * discordance), alpha, alternative, method, correction)
    },
    "wilcoxon" = {
      # the law of the signed ranks by enumerating all signs; R's own quantiles say what is rejected
      signs <- as.matrix(expand.grid(rep(list(0:1), n)))
      probability <- apply(win_probability^signs * (1 - win_probability)^(1 - signs), 1, prod)
      w <- as.vector(signs %*% seq_len(n))
      p <- sapply(0:(n * (n + 1) / 2), function(v) {
        right <- stats::psignrank(v - 1, n, lower.tail = FALSE)
        left <- stats::psignrank(v, n)
        switch(alternative, "two-sided" = min(1, 2 * min(left, right)), "greater" = right, "less" = left)
      })
      sum(probability[p[w + 1] <= alpha])
    },
    "paired-t" = if (alternative == "two-sided") {
      stats::power.t.test(n = n, delta = abs(effect), sd = 1, sig.level = alpha, type = "paired", strict = TRUE)$power
    } else {
      sign <- if (alternative == "greater") 1 else -1
      stats::power.t.test(n = n, delta = sign * effect, sd = 1, sig.level = alpha, type = "paired",
                          alternative = "one.sided")$power
    },
    "corrected-t" = .t_power(n, effect / sqrt(1 / n + n_test / n_train), alpha, alternative)
  )
}

power <- function(test, n, alpha = 0.05, alternative = "two-sided", effect = NULL, win_probability = NULL, tie_rate = 0,
                  difference = NULL, discordance = NULL, accuracy = NULL, correlation = 0, n_train = NULL,
                  n_test = NULL, method = "exact", correction = TRUE) {
  list(n = n, power = .power(test, n, alpha, alternative, effect, win_probability, tie_rate, difference, discordance,
                             accuracy, correlation, n_train, n_test, method, correction))
}

required_sample_size <- function(test, power = 0.8, alpha = 0.05, alternative = "two-sided", effect = NULL,
                                 win_probability = NULL, tie_rate = 0, difference = NULL, discordance = NULL,
                                 accuracy = NULL, correlation = 0, n_train = NULL, n_test = NULL, method = "exact",
                                 correction = TRUE) {
  if (test == "paired-t" && alternative == "two-sided") {
    exact <- stats::power.t.test(power = power, delta = abs(effect), sd = 1, sig.level = alpha, type = "paired",
                                 strict = TRUE, tol = 1e-10)$n
    return(list(n = ceiling(exact)))
  }
  n <- if (test %in% c("paired-t", "corrected-t")) 2 else 1
  repeat {
    found <- .power(test, n, alpha, alternative, effect, win_probability, tie_rate, difference, discordance, accuracy,
                    correlation, n_train, n_test, method, correction)
    if (found >= power) return(list(n = n, power = found))
    n <- n + 1
  }
}
