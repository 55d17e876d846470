"""Plain models of the code's methods, for tests."""
