# The multiplier form of each classifier: max u'y_o with v'x_o = 1 and u'y - v'x <= 0, on shares of the largest value
dea_efficiency <- function(scores, greater_is_better) {
  shares <- sweep(scores, 2, pmax(apply(scores, 2, max), 1e-300), "/")
  one <- matrix(1, nrow(scores), 1)
  merits <- if (any(greater_is_better)) shares[, greater_is_better, drop = FALSE] else one
  burdens <- if (all(greater_is_better)) one else shares[, !greater_is_better, drop = FALSE]
  list(efficiencies = sapply(seq_len(nrow(scores)), function(i) {
    limits <- rbind(cbind(merits, -burdens), c(rep(0, ncol(merits)), burdens[i, ]))
    lpSolve::lp("max", c(merits[i, ], rep(0, ncol(burdens))), limits, c(rep("<=", nrow(scores)), "="),
                c(rep(0, nrow(scores)), 1))$objval
  }))
}
