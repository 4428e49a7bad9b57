roc_curve <- function(y_true, y_score) {
  curve <- roc_of(y_true, y_score)
  list(fpr = rev(1 - curve$specificities), tpr = rev(curve$sensitivities))
}
