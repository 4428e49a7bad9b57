"""The Bradley-Terry model of battles: cells of equal battles, its fit, and its covariances."""
