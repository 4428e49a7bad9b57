# Sidak: the smallest of m independent uniform p-values has the beta distribution (1, m). multtest's 1 - (1 - p)^m has
# no digits left for small p, and its step-down procedure none for a single p; elsewhere the two must agree.

adjust_pvalues <- function(pvalues, method = "holm") {
  value <- switch(method,
    sidak = confirmed(stats::pbeta(pvalues, 1, length(pvalues)), pvalues, "SidakSS"),
    `holm-sidak` = ,
    holland = confirmed(sidak_step_down(pvalues), pvalues, "SidakSD"),
    finner = finner_step_down(pvalues),
    adjusted_pvalues(pvalues, method)
  )
  list(value = as.numeric(value))
}

sidak_step_down <- function(pvalues) {
  ordered <- sort(pvalues)
  cummax(stats::pbeta(ordered, 1, rev(seq_along(ordered))))[rank(pvalues, ties.method = "first")]
}

finner_step_down <- function(pvalues) {
  ordered <- sort(pvalues)
  cummax(stats::pbeta(ordered, 1, length(ordered) / seq_along(ordered)))[rank(pvalues, ties.method = "max")]
}

confirmed <- function(value, pvalues, procedure) {
  if (length(pvalues) > 1) {
    multtest <- multtest::mt.rawp2adjp(pvalues, proc = procedure)
    # its rows come sorted by p-value
    theirs <- multtest$adjp[order(multtest$index), procedure]
    stopifnot(abs(theirs - value) <= 1e-14 * length(pvalues))
  }
  value
}
