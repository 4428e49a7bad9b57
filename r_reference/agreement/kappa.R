cohen_kappa <- function(y1, y2, labels = sort(unique(c(y1, y2))), weights = NULL, alternative = "two-sided",
                        confidence_level = 0.95) {
  table <- table(factor(y1, levels = labels), factor(y2, levels = labels))
  c(cohen_kappa_table(table, weights, alternative, confidence_level), list(table = unclass(unname(table))))
}

cohen_kappa_table <- function(table, weights = NULL, alternative = "two-sided", confidence_level = 0.95) {
  if (is.character(weights)) weights <- c(linear = "Equal-Spacing", quadratic = "Fleiss-Cohen")[[weights]]
  kappa <- vcd::Kappa(table, weights = if (is.null(weights)) "Equal-Spacing" else weights)
  row <- if (is.null(weights)) "Unweighted" else "Weighted"
  answer <- list(estimate = kappa[[row]][["value"]], n_instances = sum(table))
  ase <- kappa[[row]][["ASE"]]
  # the root of a difference that should be 0 is noise, or NaN
  if (!is.nan(answer$estimate) && !isTRUE(ase > 1e-6)) return(answer)
  answer$standard_error <- ase
  two_sided <- alternative == "two-sided"
  limits <- confint(kappa, level = if (two_sided) confidence_level else 2 * confidence_level - 1)[row, ]
  if (alternative == "greater") limits[2] <- max(1, limits[2])
  if (alternative == "less") limits[1] <- min(-1, limits[1])
  answer$confidence_interval <- as.numeric(limits)
  if (is.null(weights) && !is.nan(answer$estimate)) {
    second <- psych::cohen.kappa(unclass(table))
    stopifnot(isTRUE(all.equal(c(second$kappa, sqrt(second$var.kappa)), unname(kappa$Unweighted), tolerance = 1e-10)))
  }
  answer
}
