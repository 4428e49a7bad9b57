# psych's kappas of all pairs, and their average; quadratic weights are those of psych. Its standard errors are of pairs

light_kappa <- function(ratings, weights = NULL, alternative = "two-sided") {
  colnames(ratings) <- letters[seq_len(ncol(ratings))]
  answer <- list(n_instances = nrow(ratings), alternative = alternative)
  if (ncol(ratings) == 2) {
    pair <- suppressWarnings(psych::cohen.kappa(ratings))
    answer$estimate <- if (is.null(weights)) pair$kappa else pair$weighted.kappa
    return(answer)
  }
  # psych takes a square for a table of counts; twice the same cases have the same kappas
  if (nrow(ratings) == ncol(ratings)) ratings <- rbind(ratings, ratings)
  psych <- suppressWarnings(psych::cohen.kappa(ratings))
  answer$estimate <- if (is.null(weights)) psych$av.kappa else psych$av.wt
  # unweighted below the diagonal, weighted above
  kappas <- unname(psych$cohen.kappa)
  triangle <- if (is.null(weights)) lower.tri(kappas) else upper.tri(kappas)
  kappas[t(triangle)] <- t(kappas)[t(triangle)]
  answer$kappas <- kappas
  answer
}
