"""What is missing, and what can be sent again."""
