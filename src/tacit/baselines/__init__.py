"""What recommenders are compared with: one a file, fitted in one place to everybody's data, private to nobody."""
