#!/usr/bin/env python3
"""Turns the measured figures into what docs/performance.md and the charts show.

    python3 bench/report.py

Reads build/bench/peers.tsv and sql.tsv (and what else there is of the others), writes
build/bench/*.dat for gnuplot, and replaces what stands in docs/performance.md between
<!-- begin NAME --> and <!-- end NAME -->. Everything else in that file is written by hand.
"""

import os
import platform
import re
import statistics
import subprocess

OUT = "build/bench"
PAGE = "docs/performance.md"
NO_PEERS = ("utf8ext", "read", "memcpy", "empty call")  # though in the races


# ---- the figures ---------------------------------------------------------------------------


def load(name):
    """{(work, corpus, size): {who: value}} of build/bench/NAME.tsv, in the file's order; the
    median where there are several values."""
    races = {}
    path = f"{OUT}/{name}.tsv"
    if not os.path.exists(path):
        return races
    with open(path) as lines:
        for line in lines:
            work, corpus, size, who, value, unit = line.rstrip("\n").split("\t")
            if unit == "pages":
                who += ", pages"
            race = races.setdefault((work, corpus, int(size)), {})
            race.setdefault(who, []).append(float(value))
    return {key: {who: statistics.median(values) for who, values in race.items()}
            for key, race in races.items()}


KERNELS = load("peers")
SQL = load("sql")
AUDIT = load("audit")
CHARSET = load("charset-peers")
MODEL = load("model")


def races(work, source=KERNELS):
    return {key: race for key, race in source.items() if key[0] == work}


def is_ours(who):
    return who.startswith("utf8ext")


def is_peer(who):
    return not who.startswith(NO_PEERS)


def newest_simdutf(race):
    """simdutf's best implementation here: the first that it lists."""
    return next(who for who in race if who.startswith("simdutf "))


def best_peer(race, least=False):
    """(who, value) of the fastest peer: the highest rate, or the least time."""
    peers = {who: value for who, value in race.items() if is_peer(who)}
    return (min if least else max)(peers.items(), key=lambda item: item[1])


# ---- Markdown ------------------------------------------------------------------------------


def number(value):
    """Three digits that count."""
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


def race_table(selected, title, column, least=False):
    """Who by race, and below it what utf8ext is over the best peer."""
    columns = list(selected.items())
    names = dict.fromkeys(who for _key, race in columns for who in race)
    rows = [
        [f"**{who}**" if who == "utf8ext" else who]
        + [number(race[who]) if who in race else "" for _key, race in columns]
        for who in names
    ]
    ratios = []
    for _key, race in columns:
        peer = best_peer(race, least)[1]
        ratios.append(peer / race["utf8ext"] if least else race["utf8ext"] / peer)
    rows.append(["**utf8ext / best peer**"] + [f"**{ratio:.2f}**" for ratio in ratios])
    return table([title] + [column(key) for key, _race in columns], rows)


def by_corpus(key):
    return key[1]


def by_size(key):
    return size_name(key[2])


def only(work, corpus, sizes):
    found = races(work)
    return {(work, corpus, s): found[(work, corpus, s)] for s in sizes if (work, corpus, s) in found}


def sql_table(corpus):
    selected = {key: race for key, race in races("rows", SQL).items() if key[1] == corpus}
    names = next(iter(selected.values()))
    rows = [[who] + [number(race[who]) for race in selected.values()] for who in names]
    for ours, floor in (("utf8_valid", "fetch"), ("utf8_codepoints", "length")):
        ratios = [f"**{race[ours] / race[floor]:.2f}**" for race in selected.values()]
        rows.append([f"**{ours} / {floor}**"] + ratios)
    return table([f"ns a row, {corpus}"] + [f"{key[2]} B" for key in selected], rows)


def long_table():
    selected = {key: race for key, race in {**races("long", SQL)}.items()}
    names = next(iter(selected.values()))
    rows = [[who] + [number(1 / race[who]) for race in selected.values()] for who in names]
    return table(["GB/s"] + [f"{key[1]}, {size_name(key[2])}" for key in selected], rows)


def each_table():
    rows = []
    for (_work, corpus, _size), race in races("each", SQL).items():
        for who in race:
            if who.startswith("utf8_each"):
                other = who.replace("utf8_each", "json_each")
                least = race[who.replace("utf8_each", "numbers")]
                rows.append([corpus, who.split(": ", 1)[-1], number(least), number(race[who]),
                             number(race[other]), f"**{race[other] / race[who]:.2f}**"])
    return table(["ns a row, text", "query", "least table", "utf8_each", "json_each",
                  "json_each / utf8_each"], rows)


# ---- the goals -----------------------------------------------------------------------------

NO_AVX512 = "not measured here: this processor has no AVX-512"
SCRIPTS = [key[1] for key in races("valid")]
FOREIGN = [script for script in SCRIPTS if script != "ascii"]


def span(values):
    low, high = min(values), max(values)
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"


def verdict(values, goal, at_most=False):
    worst = round((max if at_most else min)(values), 2)
    met = worst <= goal if at_most else worst >= goal
    return "yes" if met else "no"


def goal(text, figure, values, at_most=False):
    """A row: what, the goal, the measured figures from worst to best, met or not."""
    if not values:
        return [text, figure_text(figure, at_most), "not measured", ""]
    return [text, figure_text(figure, at_most), span(values), verdict(values, figure, at_most)]


def figure_text(figure, at_most):
    return f"at most {figure}" if at_most else f"{figure}"


def over(work, corpora, who, peer, size=65536):
    """who / peer on each corpus; peer is a name or a function from race to name."""
    found = []
    for corpus in corpora:
        race = KERNELS.get((work, corpus, size), {})
        name = peer(race) if callable(peer) and race else peer
        if who in race and name in race:
            found.append(race[who] / race[name])
    return found


def kernel_names():
    race = KERNELS[("valid", "ascii", 65536)]
    return [who.split(" ", 1)[1] for who in race if who.startswith("utf8ext ")]


def avx512_goals():
    texts = (("validate non-ASCII, 64 KB, AVX-512, over simdutf icelake", 2.4, "simdutf icelake"),
             ("the same over simdutf8", 2.0, "simdutf8"))
    if "avx512" not in kernel_names():
        return [[text, str(figure), NO_AVX512, ""] for text, figure, _peer in texts]
    return [goal(text, figure, over("valid", FOREIGN, "utf8ext avx512", peer))
            for text, figure, peer in texts]


def size_ratios(corpora, sizes, peer):
    return [ratio for size in sizes for ratio in over("size", corpora, "utf8ext", peer, size)]


def times(label, corpora, sizes, peer):
    """peer's time / ours, for values of the given (mean) sizes."""
    found = []
    for (work, corpus, size), race in KERNELS.items():
        if work == label and corpus in corpora and (sizes is None or size in sizes):
            found.append(peer(race) / race["utf8ext"])
    return found


def simdutf_time(race):
    return race[newest_simdutf(race)]


def better_time(race):
    return min(race["simdutf8"], simdutf_time(race))


def kernel_goals():
    big = [1 << power for power in range(16, 29)]
    short = (4, 8, 16, 32, 48, 64)
    rows = avx512_goals()
    rows += [
        goal("first error's offset, over simdutf's with_errors", 2.2,
             over("at", FOREIGN, "utf8ext", newest_simdutf)),
        goal("non-ASCII at 256 MB, over simdutf", 1.35,
             size_ratios(("chinese", "mix"), (1 << 28,), newest_simdutf)),
        goal("the same, of the read limit", 0.95, size_ratios(("chinese", "mix"), (1 << 28,), "read")),
        goal("ASCII from 64 KB on, of the read limit", 0.9, size_ratios(("ascii",), big, "read")),
        goal("the same, over simdutf", 1.0, size_ratios(("ascii",), big, newest_simdutf)),
        goal("AVX2, over simdutf haswell", 1.5,
             over("valid", FOREIGN, "utf8ext avx2", "simdutf haswell")),
    ]
    rows += [goal(f"{name} on a random mix, over simdutf fallback", 5,
                  over("valid", ("mix",), f"utf8ext {name}", "simdutf fallback"))
             for name in kernel_names() if name not in ("avx512", "avx2")]
    rows += [
        goal("validate and count, over simdutf's two passes", 2.4,
             over("count", SCRIPTS, "utf8ext", newest_simdutf)),
        goal("4 to 64 B hot, over simdutf", 1.5, times("short", ("mix",), short, simdutf_time)),
        goal("1 to 64 B at random, cold, over simdutf", 3,
             times("random 1-64", ("mix", "all"), None, simdutf_time)),
        goal("65 to 256 B at random, over the better of simdutf and simdutf8", 1.2,
             times("random 65-256", ("mix", "all"), None, better_time)),
        goal("100, 128, 200, 256 B hot, over the better of the two", 1.2,
             times("short", ("mix",), (100, 128, 200, 256), better_time)),
    ]
    return rows


def repair_goals():
    rows = []
    for corpus, figure in (("1/KB", 1.4), ("1/16 B", 7), ("random", 20), ("latin-1", 1.9)):
        race = KERNELS[("repair", corpus, 1 << 20)]
        who, rate = best_peer(race)
        rows.append(goal(f"repair, {corpus}, over the best peer ({who})", figure,
                         [race["utf8ext"] / rate]))
    return rows


def sql_ratios(work, ours, base, size=None):
    return [race[ours] / race[base] for key, race in races(work, SQL).items()
            if ours in race and size in (None, key[2]) and key[1] in ("ascii", "all")]


def audit_ratios():
    return [race["utf8_audit/fetch"] for race in races("audit", AUDIT).values()]


def growth_text():
    rates = [f"{size_name(round_size(key[2]))} {number(race['utf8ext'])} ({number(race['read'])})"
             for key, race in races("growth").items()]
    return "; ".join(rates)


def round_size(size):
    """The growth texts end on a boundary, a few bytes below the power of two."""
    return 1 << (size + 3).bit_length() - 1


def sql_goals():
    rows = [goal("repair of a valid 1 MB value, over validation alone", 0.9,
                 [1 / ratio for ratio in sql_ratios("long", "utf8_repair", "utf8_valid", 1 << 20)])]
    for size, figure in ((24, 1.10), (100, 1.10), (1000, 1.15)):
        rows.append(goal(f"utf8_valid(x) over text and length alone, rows of {size} B", figure,
                         sql_ratios("rows", "utf8_valid", "fetch", size), at_most=True))
    for size, figure in ((100, 0.9), (1000, 0.6)):
        rows.append(goal(f"utf8_codepoints(x) over length(x), rows of {size} B", figure,
                         sql_ratios("rows", "utf8_codepoints", "length", size), at_most=True))
    longest = max(key[2] for key in races("long", SQL))
    each = [race[who.replace("utf8_each", "json_each")] / race[who]
            for race in races("each", SQL).values() for who in race if who.startswith("utf8_each")]
    rows += [
        goal("rows a second of utf8_each, over json_each", 2, each),
        goal(f"errors-only scan of a valid {size_name(longest)} value, over utf8_valid", 1.1,
             sql_ratios("long", "errors only", "utf8_valid", longest), at_most=True),
        goal("utf8_audit over the same SELECTs with a function that only fetches", 1.2,
             audit_ratios(), at_most=True),
        ["time per byte from 1 KB to 1 GB", "flat, in the steps of the memory",
         f"GB/s (and of the read limit): {growth_text()}", ""],
    ]
    return rows


def goals():
    return table(["work", "goal", "measured, worst to best", "met"],
                 kernel_goals() + repair_goals() + sql_goals())


# ---- where a peer is faster ----------------------------------------------------------------

TIMED = ("short", "random 1-64", "random 65-256")  # nanoseconds; the others are rates


def behind():
    """Every race that utf8ext did not win, the worst first."""
    rows = []
    for (work, corpus, size), race in KERNELS.items():
        if "utf8ext" not in race or work == "growth" or (work == "size" and size < 1024):
            continue
        who, value = best_peer(race, least=work in TIMED)
        ratio = value / race["utf8ext"] if work in TIMED else race["utf8ext"] / value
        if ratio < 0.995:
            rows.append((ratio, [work, corpus, size_name(size), who, f"{ratio:.2f}"]))
    if not rows:
        return "None."
    return table(["work", "text", "size", "fastest peer", "utf8ext / peer"],
                 [row for _ratio, row in sorted(rows, key=lambda item: item[0])])


def audit_table():
    rows = []
    for (_work, shape, size), race in races("audit", AUDIT).items():
        rows.append([shape, size_name(size), number(race["fetch"]), number(race["utf8_audit"]),
                     f"**{race['utf8_audit/fetch']:.2f}**"])
    if not rows:
        return "Not measured."
    return table(["database", "size", "SELECTs with fetch, s", "utf8_audit, s", "ratio"], rows)


def charset_table(prefixes):
    """Work by text: utf8ext's rate, and in brackets how it compares to the best peer."""
    rows, corpora = {}, {}
    for (work, corpus, _size), race in CHARSET.items():
        if not work.startswith(prefixes):
            continue
        text = number(race["utf8ext"])
        peers = [value for who, value in race.items() if is_peer(who) and not is_ours(who)]
        if peers:
            text += f" ({race['utf8ext'] / max(peers):.2f})"
        rows.setdefault(work, {})[corpus] = text
        corpora[corpus] = True
    if not rows:
        return "Not measured."
    return table(["GB/s, 1 MB"] + list(corpora),
                 [[work] + [row.get(corpus, "") for corpus in corpora] for work, row in rows.items()])


def model_table():
    """Cycles for 64 bytes by a model of a processor, which MODEL names."""
    for (_work, processor_name, _size), cycles in MODEL.items():
        return table([f"loop, on {processor_name}", "cycles for 64 bytes", "bytes a cycle"],
                     [[who, number(value), number(64 / value)] for who, value in cycles.items()])
    return "Not worked out."


# ---- the machine ---------------------------------------------------------------------------


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def first_line(*command):
    return output_of(*command).split("\n")[0]


def processor():
    cpu = open("/proc/cpuinfo").read()
    name = re.search(r"model name\s*: (.*)", cpu)
    family = re.search(r"cpu family\s*: (.*)", cpu)
    model = re.search(r"model\s*: (.*)", cpu)
    if not (name and family and model):
        return platform.machine()
    avx512 = "AVX-512" if "avx512" in kernel_names() else "no AVX-512"
    return f"{name[1]}, family {family[1]} model {model[1]}, {avx512}"


def caches():
    found = re.findall(r"^(L\S+) cache:\s*(.*)$", output_of("lscpu"), re.M)
    return ", ".join(f"{name} {size}" for name, size in found)


def crates():
    text = open("bench/peers/Cargo.toml").read()
    return ", ".join(f"{name} {version}" for name, version in re.findall(r'^(\w+) = "=(.*)"', text, re.M))


def machine():
    rows = [
        ["processor", processor()],
        ["caches, all cores", caches()],
        ["system", f"{platform.system()} {platform.release()}, {platform.libc_ver()[0]} {platform.libc_ver()[1]}"],
        ["C compiler", first_line("cc", "--version")],
        ["Rust", first_line("rustc", "--version")],
        ["crates", crates() + " (which builds simdutf " + simdutf_version() + ")"],
        ["ICU, CPython", first_line("pkg-config", "--modversion", "icu-uc") + ", "
         + first_line("pkg-config", "--modversion", "python3-embed")],
        ["SQLite", first_line("pkg-config", "--modversion", "sqlite3")],
        ["kernels", ", ".join(kernel_names())],
        ["commit", first_line("cat", f"{OUT}/commit")],
        ["clock", "the thread's processor time (BENCH_BUSY)" if os.environ.get("BENCH_BUSY")
         else "monotonic"],
    ]
    return table(["", ""], rows)


def simdutf_version():
    about = output_of("cargo", "metadata", "-q", "--format-version", "1", "--manifest-path",
                      "bench/peers/Cargo.toml")
    path = re.search(r'"manifest_path":"([^"]*/simdutf-[0-9.]+)/Cargo.toml"', about)
    header = open(path[1] + "/cpp/simdutf.h").read() if path else ""
    version = re.search(r'SIMDUTF_VERSION "(.*)"', header)
    return version[1] if version else "?"


# ---- output --------------------------------------------------------------------------------


def write_dat(name, selected, label):
    """A line for each race, a column for each entrant; '-' where it did not run."""
    names = list(dict.fromkeys(who for race in selected.values() for who in race))
    with open(f"{OUT}/{name}.dat", "w") as out:
        print("corpus", *(f'"{who}"' for who in names), file=out)
        for key, race in selected.items():
            values = (f"{race[who]:.5g}" if who in race else "-" for who in names)
            print(label(key), *values, file=out)


def write_charts():
    for work in ("valid", "count", "repair"):
        write_dat(work, races(work), lambda key: f'"{key[1]}"')
    for corpus in ("ascii", "chinese", "mix"):
        rows = {key: race for key, race in sorted(races("size").items()) if key[1] == corpus}
        write_dat(f"size-{corpus}", rows, lambda key: key[2])
    rows = {key: race for key, race in races("rows", SQL).items() if key[1] == "all"}
    write_dat("rows", rows, lambda key: f'"{key[2]} B"')


def fill(page, name, text):
    pattern = rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)"
    if not re.search(pattern, page, re.S):
        raise SystemExit(f"{PAGE}: no place for {name}")
    return re.sub(pattern, lambda m: m[1] + text + "\n" + m[2], page, flags=re.S)


def main():
    sizes = (4, 8, 16, 32, 48, 64, 100, 128, 200, 256, 512)
    growing = tuple(1 << power for power in (6, 8, 10, 12, 14, 16, 18, 20, 24, 28))
    parts = {
        "machine": machine(),
        "goals": goals(),
        "valid": race_table(races("valid"), "GB/s, 64 KB", by_corpus),
        "at": race_table(races("at"), "GB/s, 64 KB", by_corpus),
        "count": race_table(races("count"), "GB/s, 64 KB", by_corpus),
        "repair": race_table(races("repair"), "GB/s, 1 MB", by_corpus),
        "short": race_table(only("short", "mix", sizes), "ns a call, mix", by_size, least=True),
        "random": race_table({**races("random 1-64"), **races("random 65-256")}, "ns a call",
                             lambda key: f"{key[1]}, {key[0].split()[1]} B", least=True),
        "size-ascii": race_table(only("size", "ascii", growing), "GB/s, ascii", by_size),
        "size-chinese": race_table(only("size", "chinese", growing), "GB/s, chinese", by_size),
        "rows": sql_table("ascii") + "\n\n" + sql_table("all"),
        "long": long_table(),
        "each": each_table(),
        "audit": audit_table(),
        "charset": charset_table(("to ", "from ", "detect ")),
        "dialects": charset_table(("valid ",)) + "\n\n" + charset_table(("repair ",)),
        "model": model_table(),
        "behind": behind(),
    }
    page = open(PAGE).read()
    for name, text in parts.items():
        page = fill(page, name, text)
    open(PAGE, "w").write(page)
    write_charts()


if __name__ == "__main__":
    main()
