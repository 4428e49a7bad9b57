lift_curve <- function(y_true, y_score) {
  curve <- ROCR::performance(ROCR::prediction(y_score, y_true), "lift", "rpp")
  gain <- ROCR::performance(ROCR::prediction(y_score, y_true), "tpr")@y.values[[1]]
  lift <- curve@y.values[[1]]
  # 0/0 before the first threshold: cases of the greatest score come in random order
  lift[1] <- lift[2]
  list(proportion = curve@x.values[[1]], lift = lift, gain = gain)
}
