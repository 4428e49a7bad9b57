roc_curve <- function(y_true, y_score) {
  curve <- roc_of(y_true, y_score)
  list(fpr = rev(1 - curve$specificities), tpr = rev(curve$sensitivities))
}

# The area under ROCR's hull, not its corners: chull() keeps some points on a straight line
roc_convex_hull <- function(y_true, y_score) {
  hull <- ROCR::performance(ROCR::prediction(y_score, y_true), "rch")
  heights <- hull@y.values[[1]]
  list(area = sum(diff(hull@x.values[[1]]) * (head(heights, -1) + tail(heights, -1))) / 2)
}
