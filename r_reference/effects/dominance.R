# cliffs_delta and vd_a of effectsize call rank_biserial and p_superiority where they are called from: in its namespace
ask <- function(call, x, y, ci) {
  eval(call, list2env(list(x = x, y = y, ci = ci), parent = asNamespace("effectsize")))
}

two_sample <- function(x, y, method, confidence_level, call, column) {
  x <- without_noise(x)
  y <- without_noise(y)
  table <- ask(call, x, y, confidence_level)
  pairs <- sign(outer(x, y, "-"))
  answer <- list(
    estimate = table[[column]],
    n_x = length(x),
    n_y = length(y),
    n_greater = sum(pairs == 1),
    n_less = sum(pairs == -1),
    n_ties = sum(pairs == 0)
  )
  # where all values are equal an interval would be that of other data
  if (method == "fisher" && any(pairs != 0)) answer$confidence_interval <- c(table$CI_low, table$CI_high)
  answer
}

cliffs_delta <- function(x, y, method = "consistent", confidence_level = 0.95) {
  call <- quote(cliffs_delta(x, y, ci = ci, verbose = FALSE))
  two_sample(x, y, method, confidence_level, call, "r_rank_biserial")
}

vargha_delaney_a <- function(x, y, method = "consistent", confidence_level = 0.95) {
  call <- quote(vd_a(x, y, ci = ci, verbose = FALSE))
  two_sample(x, y, method, confidence_level, call, "p_superiority")
}

rank_biserial <- function(x, y, method = "consistent", confidence_level = 0.95) {
  d <- differences_without_noise(x, y)
  different <- d[d != 0]
  answer <- list(n_x = length(x), n_y = length(y), n_zero = sum(d == 0))
  # effectsize has no value without differences, and loses the signs of differences that are all of one size
  if (length(unique(abs(different))) < 2) return(answer)
  # the differences against 0: of x and y effectsize would count the x, not the differences, that are not 0
  table <- effectsize::rank_biserial(d, rep(0, length(d)), paired = TRUE, ci = confidence_level, verbose = FALSE)
  answer$estimate <- table$r_rank_biserial
  answer$rank_sum <- unname(suppressWarnings(stats::wilcox.test(different))$statistic)
  answer$rank_sum_negative <- unname(suppressWarnings(stats::wilcox.test(-different))$statistic)
  if (method == "fisher") answer$confidence_interval <- c(table$CI_low, table$CI_high)
  answer
}
