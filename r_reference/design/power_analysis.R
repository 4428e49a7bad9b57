.wins_power <- function(n, share, win_probability, alpha, alternative, method, correction) {
  sum(sapply(0:n, function(m) {
    wins <- 0:m
    is_rejected <- sapply(wins, function(w) rejects(w, m - w, alpha, alternative, method, correction))
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
        discordance <- discordance_of(difference, accuracy, correlation)
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

statistical_power <- function(test, n, alpha = 0.05, alternative = "two-sided", effect = NULL, win_probability = NULL, tie_rate = 0,
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
