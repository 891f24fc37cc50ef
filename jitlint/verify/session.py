"""The parent's side: from reports to jobs, one child at a time, and back to verdicts.

Nothing of the user's code is run in this process, and JAX is not imported.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from jitlint.foundation import forks
from jitlint.verify.backends import choose, must_ask
from jitlint.verify.conversation import Progress
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.verdicts import Verdict, Verified
from jitlint.verify.jobs import jobs_of, keep_inventory, traced_functions
from jitlint.verify.kept_runs import KeptRuns
from jitlint.verify.plan import Plan
from jitlint.verify.report_conversation import ReportConversation
from jitlint.verify.server_process import ServerProcess

#: each may need half a GiB and more
_MOST_AT_ONCE = 8


def verify(plan: Plan, progress: Progress | None = None) -> Verified:
    """Run what the reports concern, and give each report its verdicts.

    Args:
      plan: what to verify.
      progress: told of each module.

    Returns:
      The reports with their verdicts, in the order of the plan.
    """
    return verify_all([plan], progress)


def verify_all(plans: Sequence[Plan], progress: Progress | None = None) -> Verified:
    """Verify several projects, with JAX started once for all of them.

    Args:
      plans: what to verify of each project; the backends are those of the first one.
      progress: told of each module.

    Returns:
      The reports with their verdicts, in the order of the plans.
    """
    start = time.monotonic()
    result = Verified(functions=len({place for plan in plans for place in traced_functions(plan)}))
    verdicts: dict[tuple[int, str], Verdict] = {}
    temporary = tempfile.TemporaryDirectory(prefix="jitlint-verify-", ignore_cleanup_errors=True)
    with ended_by_signals(), temporary as scratch, contextlib.ExitStack() as ending:
        # Programs see the folder as the system names it.
        folder = Path(scratch).resolve()
        server = None
        anything = any(plan.reports or plan.also for plan in plans)
        # What somebody asks for by name is looked for in any case.
        if must_ask(plans[0].platforms) and (anything or plans[0].platforms is not None):
            server = ServerProcess(folder)
            ending.callback(server.end)
        backends = choose(plans[0].platforms, server)
        if backends.trouble is not None:
            result.failures.append(backends.trouble)
        result.not_run += backends.absent
        platforms = backends.names
        inventories = [
            keep_inventory(plan, folder / f"project-{number}.json")
            for number, plan in enumerate(plans)
        ]
        result.notes += [kept.note for kept in inventories if kept.note is not None]
        jobs: list[Job] = []
        for platform in platforms:
            first = 0
            for plan, inventory in zip(plans, inventories, strict=True):
                jobs += jobs_of(plan, platform, folder, first, inventory)
                first += len(plan.reports)
        hold = all(plan.hold for plan in plans)
        documents = {name: found for plan in plans for name, found in plan.documents.items()}
        store = plans[0].kept
        reports = [report for plan in plans for report in plan.reports]
        kept = None if store is None else KeptRuns(store, reports)
        talk = ReportConversation(
            result, verdicts, len(jobs), progress, documents=documents, hold=hold, kept=kept
        )
        known = {} if kept is None else kept.find_all(jobs)
        for place, said in known.items():
            talk.hear_again(jobs[place], said)
        result.reused = len(known)
        asked = [job for place, job in enumerate(jobs) if place not in known]
        try:
            talk.run(asked, folder, processors(), server)
        except KeyboardInterrupt:
            # What is known by then is told.
            if not result.interrupted:
                raise
        if store is not None:
            store.prune()
    for number, diagnostic in enumerate(d for plan in plans for d in plan.reports):
        entry = dict(diagnostic.to_json())
        entry["verdicts"] = [
            verdicts[number, platform].to_json()
            for platform in platforms
            if (number, platform) in verdicts
        ]
        result.reports.append(entry)
    result.seconds = time.monotonic() - start
    return result


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let a request to end be an exception, so that nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, end) for number in wanted]
    try:
        yield
    finally:
        for number, handler in zip(wanted, before, strict=True):
            signal.signal(number, handler)


def processors() -> int:
    """How many jobs run at once; each compiles on all cores that it finds free."""
    return min(forks.processors(), _MOST_AT_ONCE)
