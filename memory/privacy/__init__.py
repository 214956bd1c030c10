"""What is too private to stand in the clear: how it is found, masked and sealed."""
