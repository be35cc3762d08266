"""A recipe as a federation that really runs, by Flower: `tacit flower RECIPE --out DIR` writes its project.

federation.py   what all agree on: recipe, settings, items            project.py    the project's files
own_data.py     a client's own csv                                    rules/        both halves of a round
client.py       the ClientApp                                         server.py     the ServerApp
kept.py         what a client keeps between rounds                    outcome.py    the folder that the server writes
measure.py      metrics at a client, as sums                          wire.py       messages: records around an `Update`

Only client.py, server.py and wire.py import Flower.
"""
