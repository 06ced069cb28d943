"""What Prometheus asks: the counts of this process, for addresses that the host allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.measure import Histogram
from app.web.house import House, house_of
from app.web.proxies import header

router = APIRouter(include_in_schema=False)

_FORWARDED: Final = (b"x-forwarded-for", b"forwarded", b"x-real-ip", b"via", b"x-forwarded-host")
"""What proxies add: behind them a stranger looks as near as they are."""


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Answers who asks directly, without a proxy, from one of the addresses of METRICS_FROM.

    For all others there is no such page.
    """
    house = house_of(request)
    client = request.client
    forwarded = any(header(request.scope, name) is not None for name in _FORWARDED)
    if forwarded or client is None or client.host not in house.metrics_from:
        raise HTTPException(404)
    registry = CollectorRegistry()
    registry.register(HouseCollector(house))
    ProcessCollector(registry=registry)
    return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})


class HouseCollector(Collector):
    """Reads what a house has counted. Names no room and no player."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """Makes the metrics of this moment."""
        house, hub, journal = self._house, self._house.hub, self._house.journal
        yield _gauge("rooms", "Rooms that somebody is connected to.", len(hub.rooms))
        yield _gauge("sockets", "Open sockets.", hub.sockets)
        yield _counter(
            "socket_closes",
            "Sockets that ended, by the code with which they were closed; 1006: with none.",
            ("code",),
            [((code,), count) for code, count in hub.closes.items()],
        )
        yield _gauge("tables", "Games in memory.", len(house.tables))
        yield from self._journal()
        yield _gauge(
            "journal_waiting", "Entries that wait for the database.", float(journal.waiting)
        )
        yield _histogram(
            "decision_seconds",
            "From a message on a socket that decides something to its outcome.",
            [((), hub.inbox.decisions)],
        )
        yield _counter(
            "refusals",
            "What was refused, by the door it came through.",
            ("door", "code"),
            [
                ((door, code), count)
                for door, codes in (("socket", hub.refusals), ("http", house.requests.refusals))
                for code, count in codes.items()
            ],
        )
        yield from self._requests()
        yield _gauge("bus_connected", "Whether other processes are heard.", house.bus.connected)

    def _journal(self) -> Iterator[Metric]:
        journal = self._house.journal
        yield _counter(
            "entries",
            "Entries written to the journal.",
            ("game", "kind"),
            [(key, count) for key, count in journal.written.items()],
        )
        yield _histogram(
            "commit_entries", "Entries that were committed together.", [((), journal.batches)]
        )
        yield _histogram(
            "append_seconds", "From an entry to its being committed.", [((), journal.waits)]
        )

    def _requests(self) -> Iterator[Metric]:
        requests = self._house.requests
        yield _counter(
            "http_answers",
            "Answers to requests.",
            ("method", "path", "status"),
            [
                ((method, path, str(status)), count)
                for (method, path, status), count in requests.answers.items()
            ],
        )
        yield _histogram(
            "http_seconds",
            "From a request to the end of its answer.",
            list(requests.seconds.items()),
            ("method", "path"),
        )


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"motherlode_{name}", meaning, value=value)


def _counter(
    name: str,
    meaning: str,
    labels: tuple[str, ...],
    counts: list[tuple[tuple[str, ...], int]],
) -> Metric:
    metric = CounterMetricFamily(f"motherlode_{name}", meaning, labels=labels)
    for values, count in counts:
        metric.add_metric(values, count)
    return metric


def _histogram(
    name: str,
    meaning: str,
    found: list[tuple[tuple[str, ...], Histogram]],
    labels: tuple[str, ...] = (),
) -> Metric:
    metric = HistogramMetricFamily(f"motherlode_{name}", meaning, labels=labels)
    for values, histogram in found:
        bounds = (*(str(float(bound)) for bound in histogram.bounds), "+Inf")
        buckets = list(zip(bounds, histogram.under(), strict=True))
        metric.add_metric(values, buckets, sum_value=histogram.total)
    return metric
