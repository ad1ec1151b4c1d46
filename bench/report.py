#!/usr/bin/env python3
"""Writes the tables of all measurements, and the data of the charts in docs/performance.md.

    python3 bench/report.py                  # all tables to build/bench/report.md, *.dat for gnuplot
    python3 bench/report.py peers            # prints what build/bench/peers.tsv has, beside the goals

Reads those files of build/bench/*.tsv that exist, and says what was not measured.

Results are a dict {(task, corpus, size): result}.
"""

import os
import statistics
import sys

OUT = os.environ.get("BENCH_OUT", "build/bench")
NO_PEERS = ("utf8ext", "read", "memcpy", "empty call")


# ---- the figures ---------------------------------------------------------------------------


class Result(dict):
    """{candidate: value} of one comparison, and the unit of the first one."""

    unit = ""


def load(name):
    """The results in build/bench/NAME.tsv, in its order: the median of several runs."""
    found = {}
    path = f"{OUT}/{name}.tsv"
    if not os.path.exists(path):
        return found
    with open(path) as lines:
        for line in lines:
            task, corpus, size, name, value, unit = line.rstrip("\n").split("\t")
            if unit == "pages":
                name += ", pages"
            result = found.setdefault((task, corpus, int(size)), Result())
            result.unit = result.unit or unit
            result.setdefault(name, []).append(float(value))
    for result in found.values():
        result.update({name: statistics.median(values) for name, values in result.items()})
    return found


# What measures each source.
TARGETS = {"peers": "bench-peers", "sql": "bench", "audit": "bench-audit", "charset-peers": "bench-charset",
           "form-peers": "bench-form", "form-clean": "bench-form", "convert": "bench-convert"}
SOURCES = {name: load(name) for name in TARGETS}
KERNELS, SQL, AUDIT, CHARSET, FORM, CLEAN, CONVERT = SOURCES.values()


def not_measured(source):
    return f"Not measured: make {TARGETS[source]}."


def results_of(task, source=KERNELS):
    return {key: result for key, result in source.items() if key[0] == task}


def is_peer(name):
    return not name.startswith(NO_PEERS)


def best_simdutf(result):
    """The name of simdutf's best implementation here: the first that it lists. None if it did not run."""
    return next((name for name in result if name.startswith("simdutf ")), None)


def best_peer(result, times=False):
    """(name, value) of the fastest peer: the highest rate, or the shortest time."""
    peers = {name: value for name, value in result.items() if is_peer(name)}
    return (min if times else max)(peers.items(), key=lambda item: item[1])


# ---- Markdown ------------------------------------------------------------------------------


def number(value):
    """The value with three or four significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def size_name(size):
    for unit, bytes_ in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= bytes_:
            return f"{size / bytes_:.0f} {unit}"
    return f"{size} B"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def peer_ratio(result):
    """How many times as fast as the best peer utf8ext is; None if one of them was not measured."""
    if "utf8ext" not in result or not any(map(is_peer, result)):
        return None
    times = result.unit == "ns"
    peer = best_peer(result, times)[1]
    return peer / result["utf8ext"] if times else result["utf8ext"] / peer


def tables(source):
    """A table for each task of a source and its unit: a row for each text, a column for each candidate."""
    groups = {}
    for (task, *text), result in SOURCES[source].items():
        groups.setdefault((task, result.unit), []).append((text, result))
    for (task, unit), group in groups.items():
        names = list(dict.fromkeys(name for _text, result in group for name in result))
        rows = []
        for (corpus, size), result in group:
            values, ratio = [result.get(name) for name in names], peer_ratio(result)
            rows.append([corpus, size_name(size), *("" if value is None else number(value) for value in [*values, ratio])])
        yield f"## {task}, {unit}\n\n" + table(["text", "size", *names, "utf8ext / best peer"], rows)


# ---- the goals -----------------------------------------------------------------------------

NO_AVX512 = "not measured here: this processor has no AVX-512"
SCRIPTS = [key[1] for key in results_of("valid")]
FOREIGN = [script for script in SCRIPTS if script != "ascii"]


def span(values):
    low, high = min(values), max(values)
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"


def is_met(values, goal, at_most=False):
    worst = round((max if at_most else min)(values), 2)
    met = worst <= goal if at_most else worst >= goal
    return "yes" if met else "no"


def goal(text, figure, values, at_most=False):
    """A row: the text, the goal, the measured values from worst to best, and whether it is met."""
    if not values:
        return [text, figure_text(figure, at_most), "not measured", ""]
    return [text, figure_text(figure, at_most), span(values), is_met(values, figure, at_most)]


def figure_text(figure, at_most):
    return f"at most {figure}" if at_most else f"{figure}"


def over(task, corpora, candidate, peer, size=65536):
    """The ratios candidate / peer on each corpus; peer is a name, or a function from result to name."""
    found = []
    for corpus in corpora:
        result = KERNELS.get((task, corpus, size), {})
        name = peer(result) if callable(peer) and result else peer
        if candidate in result and name in result:
            found.append(result[candidate] / result[name])
    return found


def kernel_names():
    result = KERNELS.get(("valid", "ascii", 65536), {})
    return [name.split(" ", 1)[1] for name in result if name.startswith("utf8ext ")]


def avx512_goals():
    texts = (("validate non-ASCII, 64 KB, AVX-512, over simdutf icelake", 2.4, "simdutf icelake"),
             ("validate non-ASCII, 64 KB, AVX-512, over simdutf8", 2.0, "simdutf8"))
    if KERNELS and "avx512" not in kernel_names():
        return [[text, str(figure), NO_AVX512, ""] for text, figure, _peer in texts]
    return [goal(text, figure, over("valid", FOREIGN, "utf8ext avx512", peer))
            for text, figure, peer in texts]


def size_ratios(corpora, sizes, peer):
    return [ratio for size in sizes for ratio in over("size", corpora, "utf8ext", peer, size)]


def times(label, corpora, sizes, peer):
    """The ratios peer / utf8ext of times, for these (mean) sizes; peer returns a result's time."""
    found = []
    for (task, corpus, size), result in KERNELS.items():
        if task == label and corpus in corpora and (sizes is None or size in sizes):
            found += [peer(result) / result["utf8ext"]] if best_simdutf(result) else []
    return found


def simdutf_time(result):
    return result[best_simdutf(result)]


def better_time(result):
    return min(result["simdutf8"], simdutf_time(result))


def kernel_goals():
    big = [1 << power for power in range(16, 29)]
    short = (4, 8, 16, 32, 48, 64)
    rows = avx512_goals()
    rows += [
        goal("first error's offset, over simdutf's with_errors", 2.2,
             over("at", FOREIGN, "utf8ext", best_simdutf)),
        goal("non-ASCII at 256 MB, over simdutf", 1.35,
             size_ratios(("chinese", "mix"), (1 << 28,), best_simdutf)),
        goal("non-ASCII at 256 MB, over the read limit", 0.95, size_ratios(("chinese", "mix"), (1 << 28,), "read")),
        goal("ASCII from 64 KB on, over the read limit", 0.9, size_ratios(("ascii",), big, "read")),
        goal("ASCII from 64 KB on, over simdutf", 1.0, size_ratios(("ascii",), big, best_simdutf)),
        goal("ASCII of 16 MB, over simdutf", 1.0, size_ratios(("ascii",), (1 << 24,), best_simdutf)),
        goal("AVX2, over simdutf haswell", 1.5,
             over("valid", FOREIGN, "utf8ext avx2", "simdutf haswell")),
    ]
    rows += [goal(f"{name} on a random mix, over simdutf fallback", 5,
                  over("valid", ("mix",), f"utf8ext {name}", "simdutf fallback"))
             for name in kernel_names() if name not in ("avx512", "avx2")]
    rows += [
        goal("validate and count, over simdutf's two passes", 2.4,
             over("count", SCRIPTS, "utf8ext", best_simdutf)),
        goal("ASCII, 4 to 128 B hot, over simdutf", 1.0,
             times("short", ("ascii",), short + (100, 128), simdutf_time)),
        goal("ASCII, 1 to 64 B at random, cold, over simdutf", 1.0,
             times("random 1-64", ("ascii",), None, simdutf_time)),
        goal("Latin, 128 B hot, over the better of simdutf and simdutf8", 1.1,
             times("short", ("latin",), (128,), better_time)),
        goal("4 to 64 B hot, over simdutf", 1.5, times("short", ("mix",), short, simdutf_time)),
        goal("1 to 64 B at random, cold, over simdutf", 3,
             times("random 1-64", ("mix", "all"), None, simdutf_time)),
        goal("65 to 256 B at random, over the better of simdutf and simdutf8", 1.2,
             times("random 65-256", ("mix", "all"), None, better_time)),
        goal("100, 128, 200, 256 B hot, over the better of simdutf and simdutf8", 1.2,
             times("short", ("mix",), (100, 128, 200, 256), better_time)),
    ]
    return rows


def repair_goals():
    rows = []
    for corpus, figure in (("1/KB", 1.8), ("1/16 B", 7), ("random", 20), ("latin-1", 1.9)):
        result = KERNELS.get(("repair", corpus, 1 << 20), {})
        text, ratios = f"repair, {corpus}, over the best peer", []
        if any(map(is_peer, result)):
            name, rate = best_peer(result)
            text, ratios = f"{text} ({name})", [result["utf8ext"] / rate]
        rows.append(goal(text, figure, ratios))
    return rows


def sql_ratios(task, ours, base, size=None):
    return [result[ours] / result[base] for key, result in results_of(task, SQL).items()
            if ours in result and size in (None, key[2]) and key[1] in ("ascii", "all")]


def sql_goals():
    rows = [goal("repair of a valid 1 MB value, over validation alone", 0.9,
                 [1 / ratio for ratio in sql_ratios("long", "utf8_repair", "utf8_valid", 1 << 20)])]
    for size, figure in ((24, 1.10), (100, 1.10), (1000, 1.15)):
        rows.append(goal(f"utf8_valid(x) over text and length alone, rows of {size} B", figure,
                         sql_ratios("rows", "utf8_valid", "fetch", size), at_most=True))
    for size, figure in ((100, 0.9), (1000, 0.6)):
        rows.append(goal(f"utf8_codepoints(x) over length(x), rows of {size} B", figure,
                         sql_ratios("rows", "utf8_codepoints", "length", size), at_most=True))
    longest = max((key[2] for key in results_of("long", SQL)), default=1 << 28)
    each = [result[name.replace("utf8_each", "json_each")] / result[name]
            for result in results_of("each", SQL).values() for name in result if name.startswith("utf8_each")]
    rows += [
        goal("rows a second of utf8_each, over json_each", 2, each),
        goal(f"errors-only scan of a valid {size_name(longest)} value, over utf8_valid", 1.1,
             sql_ratios("long", "errors only", "utf8_valid", longest), at_most=True),
    ]
    return rows


def audit_goals():
    ratios = [result["utf8_audit/fetch"] for result in results_of("audit", AUDIT).values()]
    return [goal("utf8_audit over SELECTs of the same values with fetch", 1.2, ratios, at_most=True)]


def peer_ratios(source, task):
    """The ratios utf8ext / best peer of a task on each text."""
    found = [peer_ratio(result) for result in results_of(task, source).values()]
    return [ratio for ratio in found if ratio is not None]


def charset_goals():
    return [goal(f"{way} {charset}, over the best peer", 1.1, peer_ratios(CHARSET, f"{way} {charset}"))
            for charset in ("utf-16le", "utf-32le", "iso-8859-1") for way in ("to", "from")]


def mean(ratios):
    return [statistics.geometric_mean(ratios)] if ratios else []


def form_goals():
    whole = {key: result for key, result in FORM.items() if key[2] > 1000}
    tasks = ("is NFC", "NFC of NFC", "NFC of NFD", "NFD of NFC", "NFKC of NFC", "fold")
    rows = [goal(f"{task}, texts of 1 MB, over the best peer, geometric mean", 1, mean(peer_ratios(whole, task)))
            for task in tasks]
    for size in (24, 100):
        values = {key: result for key, result in FORM.items() if key[2] == size}
        rows.append(goal(f"is NFC, values of {size} B, over the best peer, geometric mean", 1,
                         mean(peer_ratios(values, "is NFC"))))
    return rows


def clean_goals():
    ratios = [result[steps] / result["ftfy.fix_text"] for result in CLEAN.values() if "ftfy.fix_text" in result
              for steps in result if steps != "ftfy.fix_text"]
    return [goal("utf8_clean, each list of steps, over ftfy.fix_text", 1, ratios)]


def convert_goals():
    columns = [result["utf8ext"] / result["postgresql"] for (task, _text, _size), result in CONVERT.items()
               if task.startswith("column") and "postgresql" in result]
    files = [ratio for task in {key[0] for key in CONVERT if key[0].startswith("convert to")}
             for ratio in peer_ratios(CONVERT, task)]
    return [goal("utf8ext convert of 1 GB, over the better of iconv and uconv", 1, files),
            goal("utf8_from of a column of 1 GB, over PostgreSQL", 3, columns)]


GOALS = {"peers": lambda: kernel_goals() + repair_goals(), "sql": sql_goals,
         "audit": audit_goals, "charset-peers": charset_goals, "form-peers": form_goals,
         "form-clean": clean_goals, "convert": convert_goals}


def goals(sources):
    rows = [row for source in sources for row in GOALS[source]()]
    return table(["work", "goal", "measured, worst to best", "met"], rows)


# ---- output --------------------------------------------------------------------------------


def write_dat(name, selected, label):
    """A line for each result, a column for each candidate; '-' where it did not run."""
    names = list(dict.fromkeys(name for result in selected.values() for name in result))
    with open(f"{OUT}/{name}.dat", "w") as out:
        print("corpus", *(f'"{name}"' for name in names), file=out)
        for key, result in selected.items():
            values = (f"{result[name]:.5g}" if name in result else "-" for name in names)
            print(label(key), *values, file=out)


def write_charts():
    write_dat("valid", results_of("valid"), lambda key: f'"{key[1]}"')
    rows = {key: result for key, result in results_of("rows", SQL).items() if key[1] == "all"}
    write_dat("rows", rows, lambda key: f'"{key[2]} B"')


def main():
    parts = ["## goals\n\n" + goals(GOALS)]
    for source in SOURCES:
        parts += list(tables(source)) or [f"## {source}\n\n{not_measured(source)}"]
    os.makedirs(OUT, exist_ok=True)
    with open(f"{OUT}/report.md", "w") as page:
        page.writelines(f"{part}\n\n" for part in parts)
    write_charts()


def show(sources):
    """Print the figures of these sources beside their goals, and what was not measured."""
    measured = [source for source in sources if SOURCES[source]]
    if measured:
        print(goals(measured))
    for source in sources:
        if source not in measured:
            print(not_measured(source))


if __name__ == "__main__":
    show(sys.argv[1:]) if sys.argv[1:] else main()
