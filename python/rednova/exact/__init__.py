"""Exact solutions that runs are compared with, for users and for the tests."""
