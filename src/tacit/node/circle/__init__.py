"""A circle: people who know each other share openly what they like. `service.circle` is all that others call.

circle       what a person does with a circle: create, link, join, members, share, remove, leave
likes        the one door: which likes a person shares, and nothing else of them
sealed_list  a list as it travels: signed head, encrypted parts
keys         signatures and encryption
kept         what a node keeps: state, roster, lists that can be read
rosters      who is in it: what the host decides, and what follows from it
replica      how two members make what they keep equal; no network, no clock
publishing   when the own list is signed anew
rates        how often something may happen
carried      how many titles a message carries
records      plain records that `service.circle` gives
agent        when to talk to whom, what enters the ledger
runtime      the agent's event loop
"""
