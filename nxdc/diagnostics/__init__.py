"""Diagnostics: the registry of codes, the model of a diagnostic, the sink that collects them, renderers and fixes."""
