"""Tasks of a Dask cluster: keys, places, and what becomes of workers that die."""
from __future__ import annotations

import collections
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

import distributed
from dask.sizeof import sizeof
from distributed import stealing

from ._errors import Error, InvalidArgument
from ._shards import Label, Shard


class WorkersDied(Error, RuntimeError):
    """Every worker that tried a task died of it, most often for want of memory."""


sizeof.register(Shard, Shard.bytes_held)


class _ShardsStay(distributed.SchedulerPlugin):
    """Keeps searches on the workers that hold their shards, and lets others do the tasks of a worker that is gone.

    The scheduler does the latter by itself, but not if all workers are gone at once: then tasks wait for those that were.
    """

    name = "libbmo-shards-stay"
    idempotent = True

    async def start(self, scheduler: Any) -> None:
        stealing.fast_tasks.add("bmo-search")  # tasks of this name are not moved to idle workers

    def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
        for task in scheduler.tasks.values():
            if task.loose_restrictions and task.worker_restrictions == {worker}:
                task.worker_restrictions = None


def current_client() -> distributed.Client:
    try:
        client = distributed.get_client()
    except ValueError:
        raise InvalidArgument("there is no Dask client; expected one: distributed.Client(...)", "client") from None
    client.register_plugin(_ShardsStay())
    return client


def submit(client: distributed.Client, prefix: str, function: Any, *arguments: Any, at: tuple[Any, ...],
           workers: list[str] | None = None, token: str | None = None) -> distributed.Future:
    """A task with a key of its own. If its worker is gone, another does it."""
    key = (f"{prefix}-{token or uuid.uuid4().hex}", *at)
    return client.submit(function, *arguments, key=key, workers=workers, allow_other_workers=workers is not None)


def send(client: distributed.Client, value: Any) -> distributed.Future:
    """The value on a worker, for tasks that share it."""
    return submit(client, "bmo-send", _same, value, at=())


def _same(value: Any) -> Any:
    return value


def wait(futures: Sequence[distributed.Future], labels: Sequence[Label]) -> None:
    """Waits, and raises what one of them raised. The results stay where they are."""
    distributed.wait(futures)
    for future in futures:
        if future.status == "error":
            _raise(future.exception(), labels)


def results(client: distributed.Client, futures: Iterable[distributed.Future], labels: Sequence[Label]) -> list[Any]:
    try:
        return list(client.gather(list(futures)))
    except distributed.KilledWorker as failure:
        _raise(failure, labels)


def _raise(failure: BaseException, labels: Sequence[Label]) -> NoReturn:
    if not isinstance(failure, distributed.KilledWorker):
        raise failure
    key = failure.task
    of_shard = isinstance(key, tuple) and len(key) > 1 and isinstance(key[1], int) and key[1] < len(labels)
    told = str(labels[key[1]]) if of_shard else f"task {key!r}"
    raise WorkersDied(f"{told}: {failure.allowed_failures + 1} workers died of it, one after the other; if memory ran out, make "
                      "shards smaller or give workers more", "points") from failure


def holders(client: distributed.Client, keys: Sequence[Any], held: Any) -> list[str]:
    """The worker that has each of these keys; for what none has, all workers in turn, neighbors together."""
    client.wait_for_workers(1)
    workers = sorted(client.nthreads())
    where = client.who_has(held) if distributed.futures_of(held) else {}
    return [next(iter(where.get(key, ())), workers[at * len(workers) // len(keys)]) for at, key in enumerate(keys)]


def fetched(client: distributed.Client, tasks: Iterator[Callable[[], distributed.Future]], labels: Sequence[Label]) -> list[Any]:
    """The results, a few of which are under way at once: the scheduler keeps the queries of each until it is fetched."""
    done: list[Any] = []
    waiting: collections.deque[distributed.Future] = collections.deque()
    most = _most_at_once(client)
    for task in tasks:
        if len(waiting) >= most:
            done += results(client, [waiting.popleft()], labels)
        waiting.append(task())
    return done + results(client, waiting, labels)


def few_at_once(client: distributed.Client, tasks: Iterator[Callable[[], distributed.Future]],
                labels: Sequence[Label]) -> list[distributed.Future]:
    """Begins a task when an earlier one has ended, so that not all points are under way at once."""
    begun: list[distributed.Future] = []
    waiting, most = distributed.as_completed(loop=client.loop), _most_at_once(client)
    for task in tasks:
        if len(begun) >= most:
            wait([next(waiting)], labels)
        begun.append(task())
        waiting.add(begun[-1])
    wait(begun, labels)
    return begun


def _most_at_once(client: distributed.Client) -> int:
    threads: int = sum(client.nthreads().values())
    return 2 * max(1, threads)
