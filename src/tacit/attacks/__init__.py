"""What somebody could learn about a person from what that person sent: one attacker per file, named by who it is.

`base` says what an attack is and how it is judged. Each attack says which protocols it is against; `tacit audit` plays
all that are against a recipe's protocol.
"""
