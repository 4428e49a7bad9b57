scores_at_thresholds <- function(y_true, y_score, metric = "accuracy") {
  words <- c(accuracy = "acc", error_rate = "err", f1 = "f", recall = "tpr", false_positive_rate = "fpr")
  curve <- ROCR::performance(ROCR::prediction(y_score, y_true), words[[metric]])
  scores <- curve@y.values[[1]]
  # F by precision, which is 0/0 where no case is called positive; by counts it is 0
  if (metric == "f1") scores[1] <- 0
  best <- if (metric %in% c("error_rate", "false_positive_rate")) min(scores) else max(scores)
  list(scores = scores, thresholds = curve@x.values[[1]], best_score = best)
}
