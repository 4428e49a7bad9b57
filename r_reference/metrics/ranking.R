roc_auc_score <- function(y_true, y_score, max_fpr = 1) {
  curve <- roc_of(y_true, y_score)
  if (max_fpr == 1) return(as.numeric(pROC::auc(curve)))
  as.numeric(pROC::auc(curve, partial.auc = c(1, 1 - max_fpr), partial.auc.focus = "specificity",
                       partial.auc.correct = TRUE, allow.invalid.partial.auc.correct = TRUE))
}
