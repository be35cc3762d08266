"""What somebody could learn about a person from what that person sent; one way of sending a file."""
