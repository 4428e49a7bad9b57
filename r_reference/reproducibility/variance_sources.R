# two crossed factors: the table of stats::anova, whose expected mean squares are solved by hand

variance_components <- function(scores, factors) {
  a <- nrow(scores)
  b <- ncol(scores)
  data <- data.frame(score = as.vector(scores), first = factor(row(scores)), second = factor(col(scores)))
  table <- suppressWarnings(stats::anova(stats::lm(score ~ first + second, data)))
  ms <- table[["Mean Sq"]]
  df <- table[["Df"]]
  if (ms[3] <= 1e-20 * max(abs(scores))^2) stop("no variance is left")
  error <- function(one, n) sqrt(sum((2 * ms[one]^2 / (df[one] + 2))) / n^2)
  estimate <- c((ms[1] - ms[3]) / b, (ms[2] - ms[3]) / a, ms[3])
  list(
    estimate = estimate, standard_error = c(error(c(1, 3), b), error(c(2, 3), a), error(3, 1)),
    share = pmax(estimate, 0) / sum(pmax(estimate, 0)), sum_of_squares = table[["Sum Sq"]], mean_square = ms, df = df
  )
}
