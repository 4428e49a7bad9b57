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

.normal_power <- function(z, alpha, alternative) {
  critical <- stats::qnorm(alpha / (if (alternative == "two-sided") 2 else 1), lower.tail = FALSE)
  right <- stats::pnorm(z - critical)
  left <- stats::pnorm(-z - critical)
  switch(alternative, "two-sided" = right + left, "greater" = right, "less" = left)
}

# the power of a difference whose standard error is known
.estimate_power <- function(test, n, alpha, alternative, effect, win_probability, walsh_probability, tie_rate, difference,
                            sd, sd_within, n_samples, cluster_size, intraclass_correlation, n_classifiers, method) {
  design_effect <- 1 + (cluster_size - 1) * intraclass_correlation
  switch(test,
    "clustered-t" = {
      ncp <- difference / sqrt((sd^2 * design_effect + sd_within^2 / n_samples) / n)
      if (method == "asymptotic") return(.normal_power(ncp, alpha, alternative))
      df <- n / cluster_size - 1
      critical <- stats::qt(alpha / (if (alternative == "two-sided") 2 else 1), df, lower.tail = FALSE)
      right <- stats::pt(critical, df, ncp, lower.tail = FALSE)
      left <- stats::pt(-critical, df, ncp)
      switch(alternative, "two-sided" = right + left, "greater" = right, "less" = left)
    },
    "auc" = .normal_power(difference * sqrt(n) / sd, alpha, alternative),
    "battles" = {
      # the inverse of the information matrix of all pairs; the first strength is 0
      strengths <- c(0, effect, rep(effect / 2, n_classifiers - 2))
      p <- stats::plogis(outer(strengths, strengths, "-"))
      weight <- n * p * (1 - p)
      diag(weight) <- 0
      information <- diag(rowSums(weight)) - weight
      variance <- solve(information[-1, -1, drop = FALSE])[1, 1] * (1 - tie_rate) * design_effect
      .normal_power(effect / sqrt(variance), alpha, alternative)
    },
    "sign" = .normal_power(sqrt(4 * n * (1 - tie_rate)) * (win_probability - 0.5), alpha, alternative),
    "wilcoxon" = .normal_power(sqrt(3 * n) * (walsh_probability - 0.5), alpha, alternative)
  )
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
                  n_test = NULL, walsh_probability = NULL, sd = NULL, sd_within = 0, n_samples = 1, cluster_size = 1,
                  intraclass_correlation = 0, n_classifiers = 2, method = "exact", correction = TRUE) {
  if (test %in% c("clustered-t", "auc", "battles") || !is.null(walsh_probability) ||
      (test == "sign" && method == "asymptotic")) {
    found <- .estimate_power(test, n, alpha, alternative, effect, win_probability, walsh_probability, tie_rate,
                             difference, sd, sd_within, n_samples, cluster_size, intraclass_correlation,
                             n_classifiers, method)
    return(list(n = n, power = found))
  }
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
