"""Test set-up: the data-file harness is a plugin of this test tree."""

from tests.harness.plugin import pytest_addoption, pytest_collect_file, pytest_configure

__all__ = ["pytest_addoption", "pytest_collect_file", "pytest_configure"]
