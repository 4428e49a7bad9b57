"""Planning of experiments: attainable p-values, power and sample sizes."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
