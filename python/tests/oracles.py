"""Definitions, written down plainly. They share no code with the package."""

from __future__ import annotations

from collections import Counter


def suffix_array(text):
    text = tuple(text)
    return sorted(range(len(text)), key=lambda i: text[i:])


def common(a, b):
    n = 0
    while n < len(a) and n < len(b) and a[n] == b[n]:
        n += 1
    return n


def lcp(text, sa):
    text = tuple(text)
    return [0] + [common(text[a:], text[b:]) for a, b in zip(sa, sa[1:])] if sa else []


def bwt(text, sa):
    """The transform without the row of the end marker, and the primary index."""
    text = tuple(text)
    if not text:
        return [], 0
    rows = [text[-1]] + [text[i - 1] for i in sa if i > 0]
    return rows, sa.index(0) + 1


def order_of_set(texts):
    """Positions of all suffixes of a set, a terminator after each text, smaller than symbols, in order of the texts."""
    keyed, at = [], 0
    for k, text in enumerate(texts):
        for i in range(len(text) + 1):
            keyed.append(([(1, c) for c in text[i:]] + [(0, k)], at + i, k))
        at += len(text) + 1
    keyed.sort(key=lambda entry: entry[0])
    return [position for _, position, _ in keyed], [k for _, _, k in keyed]


def places(text, pattern):
    return [i for i in range(len(text) - len(pattern) + 1) if text[i:i + len(pattern)] == pattern]


def repeats(text):
    """Length of the longest repeat that covers each position, and the leftmost start of such."""
    n = len(text)
    starts, lengths = [0] * n, [0] * n
    longest = [max((common(text[i:], text[j:]) for j in range(n) if j != i), default=0) for i in range(n)]
    for p in range(n):
        for i in range(p + 1):
            if i + longest[i] > p and longest[i] > lengths[p]:
                starts[p], lengths[p] = i, longest[i]
    return starts, lengths


def intervals(text):
    """Counts of the right-maximal repeats and the empty prefix: (depth, count) of inner nodes of the suffix tree."""
    n, made = len(text), Counter()
    seen = {text[i:j] for i in range(n) for j in range(i, n + 1)}
    for word in seen:
        at = places(text, word)
        if len(at) > 1 and len({text[i + len(word):i + len(word) + 1] for i in at}) > 1:
            made[len(word), min(len(at), n)] += 1
    return made


def mems(reference, query, least):
    found = []
    for i in range(len(reference)):
        for j in range(len(query)):
            if i and j and reference[i - 1] == query[j - 1]:
                continue
            n = common(reference[i:], query[j:])
            if n >= least:
                found.append((i, j, n))
    return sorted(found)


def frequency(text, k):
    words = Counter(text[i:i + k] for i in range(len(text) - k + 1))
    return [words[text[i:i + k]] if i + k <= len(text) else 0 for i in range(len(text))]


def covered(documents, length, keep_first):
    """Positions of each document that windows which occur several times cover."""
    windows = Counter(d[i:i + length] for d in documents for i in range(len(d) - length + 1))
    seen, made = set(), []
    for d in documents:
        positions = set()
        for i in range(len(d) - length + 1):
            window = d[i:i + length]
            if windows[window] > 1 and (not keep_first or window in seen):
                positions |= set(range(i, i + length))
            seen.add(window)
        made.append(positions)
    return made
