"""Results of more programs for evalstats, each registered under the entry point group ``evalstats.formats``."""
