"""Our program against the peers: time to equal quality, time to proof."""
import csv
import os
import statistics

from . import report
from .runs import EXACT, arrival, name_of, read_log

FLOOR = 0.001  # seconds: no ratio is taken against less
COLUMNS = ("instance budget peer peer_status peer_tdi peer_seconds "
           "peer_proof our_tdi our_first our_seconds our_proof "
           "quality_ratio proof_ratio verdict").split()


def log_of(work, record):
    return read_log(os.path.join(
        work, "runs", name_of(record["instance"], record) + ".log.csv"),
        record.get("offset", 0.0))


def middle(figures):
    """The median over our seeds, one that never got there being the worst."""
    return report.median("seconds", [{"seconds": x} for x in figures])


def compare(work, ours, peer):
    """One row: dict with COLUMNS, of a peer's run and ours with all seeds.
    Times are wall seconds, None: never."""
    row = {"instance": peer["instance"], "budget": peer["budget"],
           "peer": peer["solver"], "peer_status": peer["status"],
           "peer_tdi": peer.get("tdi"), "peer_seconds": peer.get("time_best"),
           "our_tdi": report.median("tdi", ours),
           "our_first": report.median("time_first", ours),
           "ended": peer["seconds"]}
    same_scope = EXACT.get(peer["solver"], 1) in (None,
                                                  ours[0]["max_computes"])
    row["peer_proof"] = peer.get("time_proof") if same_scope else None
    row["our_proof"] = report.median("time_proof", ours)
    if row["peer_proof"] and row["our_proof"]:
        row["proof_ratio"] = row["peer_proof"] / max(row["our_proof"], FLOOR)
    row["our_seconds"] = middle(time_to_equal(work, r, peer) for r in ours)
    if hint_only(peer):
        row["peer_status"] = "hint only"
    if hint_only(peer) or peer.get("duration") is None:
        alone(row, peer)
    elif row["our_seconds"] is None:
        row["verdict"] = "behind"
    else:
        row["quality_ratio"] = peer["time_best"] / max(row["our_seconds"],
                                                       FLOOR)
        row["verdict"] = verdict(row["quality_ratio"])
    return row


def time_to_equal(work, ours, peer):
    """Seconds until ours is as good as the peer's last schedule; where the
    peer has none, until we have one or have proven that there is none."""
    if peer.get("duration") is None:
        first = ours.get("time_first")
        return ours.get("time_proof") if first is None else first
    reached = arrival(log_of(work, ours), peer["duration"])
    if reached is None and ours.get("duration") is not None and \
            ours["duration"] <= peer["duration"]:
        reached = ours["seconds"]
    return reached


def alone(row, peer):
    """The verdict where the peer found no schedule of its own: by the times
    of proof if it proved something, else its whole run counts."""
    if peer["status"] in ("optimal", "infeasible"):
        row["quality_ratio"] = row.get("proof_ratio")
        row["verdict"] = verdict(row.get("proof_ratio") or 0)
    elif row["our_seconds"] is None:
        row["verdict"] = "neither"
    else:
        row["quality_ratio"] = min(peer["limit"], peer["seconds"]) \
            / max(row["our_seconds"], FLOOR)
        row["verdict"] = "only we"


def hint_only(peer):
    """Did the peer find nothing better than the schedule it was given?"""
    given = peer.get("hint_duration")
    return given is not None and peer.get("duration") is not None \
        and peer["duration"] >= given


def verdict(ratio):
    return "ahead" if ratio > 1 else "behind"


def compared(work, records):
    """Every peer's run beside our runs of the same instance, budget and
    number of threads in input order, C = 2."""
    ours = {}
    for r in records:
        if r["solver"] == "moccasin" and r["order"] == "input" \
                and r["max_computes"] == 2:
            ours.setdefault((r["instance"], r["budget"], r["threads"]),
                            []).append(r)
    found = []
    for peer in records:
        mine = ours.get((peer["instance"], peer["budget"], peer["threads"]))
        if peer["solver"] != "moccasin" and mine:
            found.append(compare(work, mine, peer))
    return found


def ratio_text(row):
    ratio = row.get("quality_ratio")
    if ratio is None:
        return "–"
    mark = "> " if row["verdict"] == "only we" else ""
    return mark + (f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}")


def summary(found):
    """Counts and medians, a line for each peer."""
    lines = []
    for peer in dict.fromkeys(r["peer"] for r in found):
        mine = [r for r in found if r["peer"] == peer]
        ahead = [r for r in mine if r["verdict"] in ("ahead", "only we")]
        tenfold = [r for r in mine if (r.get("quality_ratio") or 0) >= 10]
        ratios = [r["quality_ratio"] for r in mine if r.get("quality_ratio")]
        proofs = [r["proof_ratio"] for r in mine if r.get("proof_ratio")]
        text = (f"- {peer}: ahead on {len(ahead)} of {len(mine)} rows, at "
                f"least 10 times on {len(tenfold)}")
        if ratios:
            text += f", median {statistics.median(ratios):.1f}"
        if proofs:
            faster = sum(r > 1 for r in proofs)
            text += (f"; proof faster on {faster} of {len(proofs)} that both "
                     f"proved, median {statistics.median(proofs):.1f}")
        lines.append(text + ".")
    return "\n".join(lines) + "\n"


def limits(records):
    """Seconds a run: the peers' and ours, the least to the most."""
    def least_and_most(mine):
        mine = {f"{r['limit']:g}" for r in mine}
        return " to ".join(sorted(mine, key=float)[::max(1, len(mine) - 1)])
    ours = [r for r in records if r["solver"] == "moccasin"]
    peers = [r for r in records if r["solver"] != "moccasin"]
    return (f"{least_and_most(peers)} s for the peers and "
            f"{least_and_most(ours)} s for us")


def markdown_of(work, records):
    found = compared(work, records)
    if not found:
        return ""
    with open(os.path.join(work, "peers.csv"), "w", newline="",
              encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, extrasaction="ignore",
                               lineterminator="\n")
        table.writeheader()
        table.writerows(found)
    notes = {(r["instance"], r["budget"], r["peer"]): r["note"]
             for r in report.rows("notes.csv")}
    body = []
    for row in found:
        show = report.seconds
        status = row["peer_status"]
        if row["peer_tdi"] is None and status in ("none", "unknown"):
            status = f"none, {row['ended']:.0f} s"
        body.append([
            row["instance"], f"{row['budget']} %", row["peer"],
            report.percent(row["peer_tdi"]), status,
            show(row["peer_seconds"]), show(row["our_seconds"]),
            ratio_text(row), show(row["peer_proof"]), show(row["our_proof"]),
            report.percent(row["our_tdi"]), row["verdict"]])
    head = ["instance", "budget", "peer", "its TDI %", "status", "its best s",
            "we reach it s", "ratio", "its proof s", "our proof s",
            "our TDI %", "verdict"]
    behind = [r for r in found if r["verdict"] == "behind"]
    text = report.markdown(head, body) + "\n" + summary(found)
    text += ("\n`cpsat-published`: the paper's formulation, two phases; "
             "`cpsat-free`: free lengths, started from a greedy schedule where "
             "there is one; `checkmate`: its MILP on HiGHS (any C); "
             "`checkmate-lp`: its LP rounding. Same budgets, cores and "
             f"verifier; limits (`--limit`) of {limits(records)}; see "
             "`bench/peers/README.md`. "
             "\"we reach it\": median over our seeds.\n")
    if behind:
        text += "\nWhere we are behind:\n"
        for r in behind:
            why = notes.get((r["instance"], str(r["budget"]), r["peer"]),
                            "not yet looked into")
            text += (f"- {r['instance']} at {r['budget']} % against "
                     f"{r['peer']}: {why}.\n")
    return text
