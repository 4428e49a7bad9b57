# levels and direction are fixed: left to itself, roc() turns a curve around that lies below the diagonal
roc_of <- function(y_true, y_score) {
  pROC::roc(y_true, y_score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

roc_curve <- function(y_true, y_score) {
  curve <- roc_of(y_true, y_score)
  list(fpr = rev(1 - curve$specificities), tpr = rev(curve$sensitivities))
}
