# No package of Debian has these tests: R finds the roots and adds the multinomial probabilities

noninferiority_test <- function(x = NULL, y = NULL, margin, test = "accuracy", counts = NULL, method = "score",
                                clusters = NULL, confidence_level = 0.95) {
  if (is.null(clusters)) {
    if (is.null(counts)) counts <- counts_of(x, y)
    return(list(
      difference = (counts[1, 2] - counts[2, 1]) / sum(counts), n = sum(counts),
      statistic = margin_z(counts, -margin, method),
      pvalue = margin_pvalue(counts, -margin, method),
      confidence_interval = c(margin_limit(counts, method, 1 - confidence_level), Inf)
    ))
  }
  z <- function(shift) grouped_z(x, y, clusters, shift)
  df <- grouped_df(clusters)
  answer <- list(difference = mean(x - y), n = length(x), statistic = z(-margin), pvalue = stats::pt(-z(-margin), df))
  quantile <- stats::qt(confidence_level, df)
  if (any(x != y) && abs(mean(x - y)) < 0.9 && z(-1 + 1e-9) > quantile) {
    root <- stats::uniroot(function(shift) z(shift) - quantile, c(-1 + 1e-9, mean(x - y)), tol = 1e-14)$root
    answer$confidence_interval <- c(root, Inf)
  }
  answer
}

equivalence_test <- function(x = NULL, y = NULL, margin, test = "accuracy", counts = NULL, method = "score",
                             clusters = NULL, confidence_level = 0.9) {
  if (is.null(clusters)) {
    if (is.null(counts)) counts <- counts_of(x, y)
    alpha <- (1 - confidence_level) / 2
    low <- margin_pvalue(counts, -margin, method)
    high <- margin_pvalue(t(counts), -margin, method)
    return(list(
      pvalue_low = low, pvalue_high = high, pvalue = max(low, high),
      confidence_interval = c(margin_limit(counts, method, alpha), -margin_limit(t(counts), method, alpha))
    ))
  }
  low <- stats::pt(-grouped_z(x, y, clusters, -margin), grouped_df(clusters))
  high <- stats::pt(-grouped_z(y, x, clusters, -margin), grouped_df(clusters))
  list(pvalue_low = low, pvalue_high = high, pvalue = max(low, high))
}

counts_of <- function(x, y) unclass(table(factor(x, levels = 1:0), factor(y, levels = 1:0)))

# Tango's z over the root of the design effect
grouped_z <- function(x, y, clusters, shift) {
  d <- x - y
  residuals <- d - mean(d)
  size <- tapply(d, clusters, length)
  n <- length(d)
  g <- length(size)
  of_groups <- if (g > 1) tapply(residuals, clusters, sum) * (1 - 1 / g) / (1 - size / n) else sum(residuals)
  effect <- (sum(of_groups^2) + sum(size^2) / length(d)) / (sum(residuals^2) + 1)
  tango_z(sum(d > 0), sum(d < 0), length(d), shift) / sqrt(max(effect, 1))
}

grouped_df <- function(clusters) {
  if (max(table(clusters)) == 1) return(Inf)
  if (length(unique(clusters)) == 1) 1 else bell_mccaffrey_df(clusters)
}

# The most likely probability of a case that only y gets right solves a quadratic equation: Tango (1998)
tango_z <- function(b, c, n, shift) {
  roots <- Re(polyroot(c(-c * shift * (1 - shift), (2 * n - b + c) * shift - b - c, 2 * n)))
  (b - c - n * shift) / sqrt(n * max(2 * max(roots, 0) + shift * (1 - shift), 0))
}

newcombe_lower <- function(table, z) {
  n <- sum(table)
  # prop.test would take a level, which has no digits left where z is large
  wilson <- function(k) {
    (k + z^2 / 2 + c(-1, 1) * abs(z) * sqrt(k * (n - k) / n + z^2 / 4)) / (n + z^2)
  }
  x <- sum(table[1, ])
  y <- sum(table[, 1])
  product <- x * (n - x) * y * (n - y)
  surplus <- table[1, 1] * table[2, 2] - table[1, 2] * table[2, 1]
  if (surplus > 0) surplus <- max(surplus - n / 2, 0)
  phi <- if (product > 0) surplus / sqrt(product) else 0
  side <- if (z > 0) 1:2 else 2:1
  below <- x / n - wilson(x)[side[1]]
  above <- wilson(y)[side[2]] - y / n
  (x - y) / n - sign(z) * sqrt(below^2 - 2 * phi * below * above + above^2)
}

# NaN where Newcombe's limit is not the margin at any of these quantiles
margin_z <- function(table, shift, method) {
  if (method != "newcombe") return(tango_z(table[1, 2], table[2, 1], sum(table), shift))
  excess <- function(z) newcombe_lower(table, z) - shift
  ends <- c(1e-6, 8) * (if ((table[1, 2] - table[2, 1]) / sum(table) > shift) 1 else -1)
  if (excess(ends[1]) * excess(ends[2]) >= 0) stop("the limit does not reach the margin")
  stats::uniroot(excess, sort(ends), tol = 1e-13)$root
}

margin_pvalue <- function(table, shift, method) {
  if (method != "exact") return(stats::pnorm(-margin_z(table, shift, method)))
  exact_pvalue(table[1, 2], table[2, 1], sum(table), shift)
}

# All tables with so large a z, and the share of cases that only y gets right at which they are the most likely
exact_pvalue <- function(b, c, n, shift) {
  tables <- expand.grid(b = 0:n, c = 0:n)
  tables <- tables[tables$b + tables$c <= n, ]
  z <- mapply(tango_z, tables$b, tables$c, n, shift)
  observed <- tango_z(b, c, n, shift)
  tables <- tables[z >= observed - 1e-9 * max(1, abs(observed)), ]
  ways <- lfactorial(n) - lfactorial(tables$b) - lfactorial(tables$c) - lfactorial(n - tables$b - tables$c)
  power <- function(base, exponent) if (base > 0) exponent * log(base) else ifelse(exponent == 0, 0, -Inf)
  tail <- function(q) {
    sum(exp(ways + power(q + shift, tables$b) + power(q, tables$c) +
              power(max(1 - 2 * q - shift, 0), n - tables$b - tables$c)))
  }
  grid <- seq(max(0, -shift), (1 - shift) / 2, length.out = 2001)
  tails <- vapply(grid, tail, 0)
  best <- which.max(tails)
  near <- range(grid[pmin(pmax(best + c(-1, 1), 1), 2001)])
  max(tails, stats::optimize(tail, near, maximum = TRUE, tol = 1e-12)$objective)
}

margin_limit <- function(table, method, alpha) {
  if (method == "newcombe") return(newcombe_lower(table, stats::qnorm(1 - alpha)))
  b <- table[1, 2]
  c <- table[2, 1]
  n <- sum(table)
  if (b - c == -n) return(-1)
  if (method == "score") {
    return(stats::uniroot(function(shift) tango_z(b, c, n, shift) - stats::qnorm(1 - alpha),
                          c(-1 + 1e-9, (b - c) / n - 1e-12), tol = 1e-14)$root)
  }
  low <- -1
  high <- (b - c) / n
  for (i in 1:26) {
    middle <- (low + high) / 2
    if (exact_pvalue(b, c, n, middle) <= alpha) low <- middle else high <- middle
  }
  low
}
