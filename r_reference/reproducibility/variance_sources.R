# Two crossed factors with all scores: the table of stats::anova, whose expected mean squares are solved by hand.
# Scores one by one, with the levels of each: nlme::lme, with a block of effects for each term.

variance_components <- function(scores, factors, nested = list(), method = "auto") {
  if (is.list(factors)) return(components_of_lme(scores, factors, nested))
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
    proportion = pmax(estimate, 0) / sum(pmax(estimate, 0)), sum_of_squares = table[["Sum Sq"]], mean_square = ms, df = df
  )
}

components_of_lme <- function(scores, factors, nested) {
  above <- function(name) {
    direct <- unlist(nested[[name]])
    unique(c(name, unlist(lapply(direct, above))))
  }
  sets <- unlist(lapply(seq_along(factors), function(n) utils::combn(names(factors), n, simplify = FALSE)), FALSE)
  terms <- Filter(function(set) all(unlist(lapply(set, above)) %in% set), sets)
  data <- data.frame(score = as.numeric(unlist(scores)), all = factor(1))
  for (k in seq_along(terms)) data[[paste0("t", k)]] <- interaction(lapply(factors[terms[[k]]], unlist), drop = TRUE)
  blocks <- lapply(seq_len(length(terms) - 1), function(k) nlme::pdIdent(stats::as.formula(paste0("~ 0 + t", k))))
  effects <- if (length(blocks) == 1) blocks[[1]] else nlme::pdBlocked(blocks)
  # relative variances that are found to all digits that the log-likelihood has
  control <- nlme::lmeControl(msMaxIter = 500, maxIter = 500, tolerance = 1e-12, msTol = 1e-14, niterEM = 100)
  fit <- nlme::lme(score ~ 1, data, random = list(all = effects), method = "REML", control = control)
  relative <- vapply(as.list(fit$modelStruct$reStruct$all), function(block) as.matrix(block)[1, 1], 0)
  if (length(blocks) == 1) relative <- as.matrix(fit$modelStruct$reStruct$all)[1, 1]
  estimate <- unname(c(relative, 1) * fit$sigma^2)
  list(estimate = estimate, proportion = estimate / sum(estimate), log_likelihood = as.numeric(stats::logLik(fit)))
}
