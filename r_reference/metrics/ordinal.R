kendall_tau_b <- function(y_true, y_pred) stats::cor(y_true, y_pred, method = "kendall")
