"""Live nodes that exchange sums (push-sum) instead of models."""
