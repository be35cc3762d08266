"""x"""


def churn(nodes: int, minutes: float) -> dict:
    return {}


def twenty(nodes: int) -> dict:
    return {}
