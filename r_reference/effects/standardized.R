# effectsize finds the limits with a general optimizer, to four digits where it converges at all; stats::pt has the same
# distribution, and a root of it all digits. Beyond a noncentrality of 37.62 pt is a normal approximation: no answer.
limits_of_t <- function(t, df, confidence_level) {
  tail <- (1 - confidence_level) / 2
  if (!is.finite(t) || abs(t) > 25) return(NULL)
  root <- function(f) stats::uniroot(f, c(-37.6, 37.6), tol = 1e-15, maxiter = 10000)$root
  tryCatch(c(root(function(delta) stats::pt(t, df, delta, lower.tail = FALSE) - tail),
             root(function(delta) stats::pt(t, df, delta) - tail)), error = function(e) NULL)
}

with_interval <- function(answer, estimate, n_x, n_y, paired, correction, confidence_level) {
  df <- if (paired) n_x - 1 else n_x + n_y - 2
  unit <- sqrt(if (paired) 1 / n_x else 1 / n_x + 1 / n_y)
  limits <- limits_of_t(estimate / unit, df, confidence_level)
  c(answer, list(df = df, n_x = n_x, n_y = n_y), if (!is.null(limits)) list(confidence_interval = limits * unit * correction))
}

# where nothing varies, or only noise does, effectsize divides by it
varies <- function(...) any(vapply(list(...), function(v) length(v) > 1 && !is_noise(stats::sd(v), v), TRUE))

# effectsize squares: the square of a very small score has no digits left. A power of two changes none
unit_of <- function(...) 2^floor(log2(max(abs(c(...)), 1e-300)))

cohen_dz <- function(x, y, confidence_level = 0.95) {
  unit <- unit_of(x, y)
  x <- x / unit
  y <- y / unit
  if (is_noise(stats::sd(x - y), x, y)) stop("the differences have no variance")
  d <- suppressWarnings(effectsize::cohens_d(x, y, paired = TRUE, ci = NULL, verbose = FALSE))$Cohens_d
  with_interval(list(estimate = d), d, length(x), length(y), TRUE, 1, confidence_level)
}

cohen_d <- function(x, y, confidence_level = 0.95) {
  unit <- unit_of(x, y)
  x <- x / unit
  y <- y / unit
  if (!varies(x, y)) stop("the samples have no variance")
  d <- suppressWarnings(effectsize::cohens_d(x, y, ci = NULL, verbose = FALSE))$Cohens_d
  with_interval(list(estimate = d), d, length(x), length(y), FALSE, 1, confidence_level)
}

hedges_g <- function(x, y, paired = FALSE, confidence_level = 0.95) {
  unit <- unit_of(x, y)
  x <- x / unit
  y <- y / unit
  if (paired && is_noise(stats::sd(x - y), x, y)) stop("the differences have no variance")
  if (!paired && !varies(x, y)) stop("the samples have no variance")
  d <- suppressWarnings(effectsize::cohens_d(x, y, paired = paired, ci = NULL, verbose = FALSE))$Cohens_d
  g <- suppressWarnings(effectsize::hedges_g(x, y, paired = paired, ci = NULL, verbose = FALSE))$Hedges_g
  df <- if (paired) length(x) - 1 else length(x) + length(y) - 2
  correction <- beta((df - 1) / 2, 1 / 2)
  with_interval(list(estimate = g), d, length(x), length(y), paired, sqrt(2 * pi / df) / correction, confidence_level)
}
