# Ratio: geepack's Poisson model with a log link, one row for each call, clusters of the calls of one case (Moskowitz & Pepe).
# Weighted and score: DTComPair is not in Debian. The statistics are computed from the rows of the calls, by the definitions
# of Kosinski (2013) and of Leisenring, Alonzo & Pepe (2000).

predictive_value_test <- function(y_true = NULL, x = NULL, y = NULL, positives = NULL, negatives = NULL, value = "positive",
                                  method = "weighted", confidence_level = 0.95) {
  if (is.null(y_true)) {
    counts <- c(t(positives), t(negatives))
    y_true <- rep(c(1, 1, 1, 1, 0, 0, 0, 0), counts)
    x <- rep(c(1, 1, 0, 0, 1, 1, 0, 0), counts)
    y <- rep(c(1, 0, 1, 0, 1, 0, 1, 0), counts)
  }
  called <- if (value == "positive") 1 else 0
  compared_calls(c(y_true == called, y_true == called), rep(seq_along(y_true), 2), c(x, y) == called,
    rep(0:1, each = length(y_true)), method)
}

# a row for each call: whether it is right, its case, and which classifier made it
compared_calls <- function(is_right, case, is_call, of_y, method) {
  is_right <- as.numeric(is_right[is_call])
  case <- case[is_call]
  of_y <- of_y[is_call]
  if (length(unique(of_y)) < 2) return(list(n_x = sum(of_y == 0), n_y = sum(of_y == 1)))
  values <- tapply(is_right, of_y, mean)
  answer <- list(
    value_x = values[[1]], value_y = values[[2]], difference = values[[1]] - values[[2]],
    n_x = sum(of_y == 0), n_y = sum(of_y == 1)
  )
  pooled <- mean(is_right)
  of_case <- function(rows) tapply(rows, case, sum)
  n_calls <- of_case(rep(1, length(case)))
  same <- all(n_calls == 2)
  if (pooled %in% c(0, 1) || same) return(answer)
  answer$statistic <- switch(method,
    weighted = {
      of_both <- of_case(is_right)[n_calls == 2]
      both <- c(sum(of_both == 2), sum(of_both == 0))
      covariance <- sum(both * c((1 - pooled)^2, pooled^2)) / length(case)
      answer$difference^2 / ((pooled * (1 - pooled) - 2 * covariance) * sum(1 / table(of_y)))
    },
    score = sum(is_right * (of_y - mean(of_y)))^2 / sum(of_case((is_right - pooled) * (of_y - mean(of_y)))^2),
    ratio = ratio_of_values(is_right, case, of_y)
  )
  answer$pvalue <- if (!is.null(answer$statistic)) stats::pchisq(answer$statistic, 1, lower.tail = FALSE)
  answer
}

ratio_of_values <- function(is_right, case, of_y) {
  if (any(tapply(is_right, of_y, mean) %in% c(0, 1))) return(NULL)
  order <- order(case)
  calls <- data.frame(is_right, case, of_y)[order, ]
  fit <- geepack::geeglm(is_right ~ of_y, family = stats::poisson("log"), data = calls, id = case, control = geepack::geese.control(epsilon = 1e-12))
  summary(fit)$coefficients["of_y", "Wald"]
}
