"""Item categories: the category of each item as a position in a list of names; Foursquare's reduced to nine."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.data.dataset import Dataset

TOPS = (
    "Arts & Entertainment",
    "College & University",
    "Food",
    "Nightlife Spot",
    "Outdoors & Recreation",
    "Professional & Other Places",
    "Residence",
    "Shop & Service",
    "Travel & Transport",
)
"""Foursquare's nine top categories, as they were about 2012."""
_ARTS, _COLLEGE, _FOOD, _NIGHT, _OUTDOORS, _WORK, _HOME, _SHOP, _TRAVEL = TOPS
_TABLE = (
    (_COLLEGE, "college, university, fraternity, sorority, law school, medical school, trade school, student center"),
    (_HOME, "home (private), residential building, housing development, assisted living, RESIDENCE"),
    (_TRAVEL, "airport, travel, hotel pool, bike rental, rental car, train, subway, bus line, bus station, light rail"),
    (_TRAVEL, "platform, taxi, ferry, pier, PLANE, road, rest area, hostel, motel, resort, bed & breakfast"),
    (_TRAVEL, "boarding house, tourist information, moving target, HOTEL, TRAM"),
    (_ARTS, "museum, art gallery, theater, multiplex, concert hall, music venue, rock club, jazz club, comedy club"),
    (_ARTS, "opera, performing arts, stadium, arena, arcade, casino, aquarium, zoo, theme park, water park, racetrack"),
    (_ARTS, "bowling, pool hall, public art, historic site, planetarium, entertainment, circus, piano bar"),
    (_SHOP, "shop & service, food & drink, salon / barbershop, automotive shop, board shop, bike shop, gift shop"),
    (_SHOP, "miscellaneous shop, cosmetics shop, sporting goods, hobby shop, mobile phone, record shop, antique shop"),
    (_SHOP, "smoke shop, flower shop, optical shop, motorcycle shop, bridal shop, tailor shop, pet s, wine shop"),
    (_SHOP, "cheese shop, gourmet shop, internet cafe, gym / fitness, yoga, dojo, store, boutique, mall, market"),
    (_SHOP, "salon, spa / massage, laundry, bank, credit union, gas station, car wash, car dealership, drugstore"),
    (_SHOP, "newsstand, garden center, tattoo, photography, video store, financial, real estate, storage, recycling"),
    (_SHOP, "butcher, ev charging, design studio, antique, camera, flea, deli / bodega"),
    (_FOOD, "juice bar, gastropub, restaurant, pizza, caf, coffee, ice cream, fast food, bakery, sandwich, steakhouse"),
    (_FOOD, "dessert, burger, diner, cupcake, breakfast, food court, food truck, snack, tea room, bbq, bagel, salad"),
    (_FOOD, "joint, noodle, donut, soup, taco, burrito, place, winery, vineyard, distillery, fish &, yogurt, FOOD"),
    (_NIGHT, "bar, pub, nightclub, lounge, brewery, beer garden, nightlife, speakeasy, strip club"),
    (_WORK, "office, building, event space, hospital, medical, government, coworking, convention, city hall, startup"),
    (_WORK, "doctor, dentist, library, school, parking, factory, meeting room, police, courthouse, church, spiritual"),
    (_WORK, "conference, emergency room, capitol, military, cemetery, radio station, auditorium, non-profit, embassy"),
    (_WORK, "laboratory, veterinarian, animal shelter, shrine, temple, synagogue, mosque, voting, campaign"),
    (_WORK, "fire station, daycare, fair, professional, CITY, well"),
    (_OUTDOORS, "plaza, park, outdoors, monument, neighborhood, bridge, gym, pool, playground, scenic, field, garden"),
    (_OUTDOORS, "castle, river, court, dog run, lake, harbor, golf, farm, athletic, island, beach, skat, mountain"),
    (_OUTDOORS, "stables, sculpture"),
    (_OUTDOORS, "track, trail, campground, surf, lighthouse, roof deck, hot spring, dance studio, tennis, ski"),
)  # fmt: skip
"""Words in fine categories ("Sushi Restaurant") and the top one ("Food") that they mean.

The first line with a matching word decides. A word in capitals must be the whole name.
"""
_RULES = [(top, word) for top, words in _TABLE for word in words.split(", ")]


def item_categories(dataset: Dataset) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The names, and each item's place among them (-1: unknown). Foursquare's fine categories count as its top nine."""
    column = _categories(dataset)
    if column is None:
        raise BadInput(
            "evaluate.bias", got="no item category", allowed="data with a column category", where=dataset.name
        )
    names = sorted(column.drop_nulls().unique().to_list())
    place = {name: n for n, name in enumerate(names)}
    return names, np.array([place.get(name, -1) for name in column.to_list()], np.int32)


def item_labels(dataset: Dataset, what: str) -> list[str]:
    """The names of categories, or of genres where there are no categories; `what` asks, and is named in an error."""
    each = {name for names in _labels(dataset) for name in names}
    if not each:
        allowed = "data with a column category or genres"
        raise BadInput(what, got="no item category", allowed=allowed, where=dataset.name)
    return sorted(each)


def belongs_to(dataset: Dataset, names: Collection[str]) -> npt.NDArray[np.bool_]:
    """Which items have one of these categories, or one of these genres."""
    return np.array([not names_of.isdisjoint(names) for names_of in _labels(dataset)], np.bool_)


def _labels(dataset: Dataset) -> list[set[str]]:
    """The names that each item goes by: its category, else its genres (Comedy|Drama)."""
    column = _categories(dataset)
    if column is None:
        column = dataset.items["genres"]
    return [set(text.split("|")) if text else set() for text in column.to_list()]


def _categories(dataset: Dataset) -> pl.Series | None:
    """Every item's category, Foursquare's as its top nine; None where the data has none."""
    column = dataset.items["category"]
    if column.null_count() == len(column):
        return None
    if dataset.name.startswith("foursquare"):
        fine = column.drop_nulls().unique().to_list()
        tops = {name: top_category(name) for name in fine}
        column = column.replace_strict(tops, return_dtype=pl.String, default=None)
    return column


def top_category(fine: str) -> str | None:
    """The top category of a fine one; None for a name that the table does not know.

    >>> top_category("Sushi Restaurant"), top_category("Hotel Bar"), top_category("Nobody's Business")
    ('Food', 'Nightlife Spot', None)
    """
    name = fine.strip().lower()
    for top in TOPS:
        if name == top.lower():
            return top
    for top, word in _RULES:
        if name == word.lower() if word.isupper() else word in name:
            return top
    return None
