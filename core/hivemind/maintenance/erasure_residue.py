"""What is left after an erasure: in the bytes of our files, the word indexes, the archives, the vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hivemind.domain.erasure import Residue
from hivemind.maintenance.erasure_needles import Needles
from hivemind.maintenance.erasure_places import Sought, every_message
from hivemind.maintenance.text_holders import TEXT_HOLDERS
from hivemind.mind import MindTransaction
from hivemind.paths import DataDir
from hivemind.storage import Connection
from hivemind.storage.connections import connected

#: Fewer bytes meet by chance in numbers and compressed text.
SHORTEST_BYTES = 6
_CHUNK = 8 * 1024 * 1024
_OVERLAP = 4096
#: Passages and vectors that are searched for in the bytes of files.
_MOST = 40
_WINDOW = 32
_TOKENIZED = (("memory_frames_fts", "porter unicode61"), ("memory_frames_cjk", "trigram"))


@dataclass(slots=True)
class Probes:
    """What to look for, taken before the erasure: it lives in memory only and is gone with it."""

    words: set[str] = field(default_factory=set)
    whole: bool = False
    passages: set[str] = field(default_factory=set)
    vectors: set[bytes] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    frame_ids: set[int] = field(default_factory=set)

    def add(self, other: Probes) -> None:
        self.words |= other.words
        self.passages |= other.passages
        self.vectors |= other.vectors
        self.texts += other.texts
        self.frame_ids |= other.frame_ids

    def certain_bytes(self) -> set[bytes]:
        """What stands nowhere but in what goes: words and vectors, long enough to be told apart."""
        words = {word.encode("utf-8", "replace") for word in self.words}
        return {word for word in words if len(word) >= SHORTEST_BYTES} | self.vectors


def take_probes(tx: MindTransaction, sought: Sought) -> Probes:
    """Of what `work_out` found. Words as they are really written here; passages and vectors of some memories."""
    probes = Probes(whole=sought.needles.whole, frame_ids=set(sought.frame_ids))
    if sought.needles.words:
        probes.words = {form for word in sought.needles.words for form in (word.strip(), word.strip().casefold())}
        for text in every_text(tx):
            probes.words |= sought.needles.spellings(text)
    for frame_id in sorted(sought.frame_ids):
        text = tx.connection.execute("SELECT content FROM memory_frames WHERE id = ?", (frame_id,)).get
        if len(probes.texts) < 5 * _MOST:
            probes.texts.append(str(text))
        if len(probes.passages) < _MOST and not sought.needles.words:
            probes.passages |= _windows(str(text))
        if len(probes.vectors) < _MOST:
            probes.vectors |= _vector_bytes(tx, frame_id)
    return probes


def every_text(tx: MindTransaction) -> Iterator[str]:
    """Every readable text of a mind, wherever a holder keeps it."""
    for _, text in every_message(tx):
        yield text
    for holder in TEXT_HOLDERS:
        for place in holder.columns:
            table, column = place.split(".")
            if column in ("bytes", "bits", "pieces", "t", "embedding", "salt"):
                continue
            rows = tx.connection.execute(f'SELECT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL')  # noqa: S608
            yield from (str(text) for (text,) in rows)


def look(tx: MindTransaction, path: Path, data: DataDir, workspace: str, probes: Probes) -> Residue:
    """Look everywhere. Blocking; reads every file of ours from end to end."""
    # A text that somebody else says too is no residue.
    living = Needles(sorted(probes.passages))
    said = {form for text in every_text(tx) for form in living.spellings(text)} if probes.passages else set()
    common = _common(tx, probes.words)
    forms = {form.encode("utf-8", "replace") for form in (probes.words - common) | (probes.passages - said)}
    long_enough = {form for form in forms if len(form) >= SHORTEST_BYTES}
    return Residue(
        files=search_files(our_files(data, path, workspace), long_enough | probes.vectors, probes.whole),
        texts=_texts_left(tx, probes),
        vocabulary=_vocabulary_left(path, probes),
        vectors=_vectors_left(tx, probes),
        passages=len(long_enough) + len(probes.vectors),
        too_short=len(probes.words | probes.passages) - len(long_enough),
    )


def our_files(data: DataDir, mind: Path, workspace: str) -> list[tuple[str, Path]]:
    """Every file of the data folder but other minds and their backups, by kind."""
    found = []
    for file in sorted(data.root.rglob("*")):
        top = file.relative_to(data.root).parts[0]
        if file.is_symlink() or not file.is_file() or file.suffix == ".onnx":
            continue
        if top == data.minds.name and not file.name.startswith(mind.name):
            continue
        if top == data.backups.name and not file.name.startswith((f"{workspace} ", f"{workspace}.")):
            continue
        found.append((top if file.parent != data.root else file.name, file))
    if not mind.is_relative_to(data.root):
        found += [(data.minds.name, each) for each in mind.parent.glob(f"{mind.name}*")]
    return found


def search_files(files: Iterable[tuple[str, Path]], forms: Iterable[bytes], whole: bool) -> dict[str, int]:
    """How often the forms stand in the files, by kind. A file that cannot be read counts as one find."""
    hits: Counter[str] = Counter()
    wanted = sorted(forms)
    for kind, file in files if wanted else ():
        try:
            hits[kind] += sum(_hits(chunk, wanted, whole, first) for chunk, first in _chunks(file))
        except OSError:
            hits[kind] += file.exists()
    return {kind: count for kind, count in hits.items() if count}


def _chunks(file: Path) -> Iterator[tuple[bytes, int]]:
    """Pieces that overlap, and where in each a find counts (before that the former piece has counted it)."""
    with file.open("rb") as stream:
        before = b""
        while new := stream.read(_CHUNK):
            yield before + new, len(before)
            before = (before + new)[-_OVERLAP:]


def _hits(chunk: bytes, forms: Sequence[bytes], whole: bool, counted: int) -> int:
    found = 0
    for form in forms:
        at = chunk.find(form)
        while at >= 0:
            end = at + len(form)
            if end > counted and not (whole and _goes_on(chunk, at, end)):
                found += 1
            at = chunk.find(form, at + 1)
    return found


def _goes_on(chunk: bytes, at: int, end: int) -> bool:
    before = chunk[max(0, at - 4) : at].decode("utf-8", "ignore")[-1:]
    after = chunk[end : end + 4].decode("utf-8", "ignore")[:1]
    return before.isalnum() or after.isalnum()


def _windows(text: str) -> set[str]:
    """Pieces of a text short enough to lie within one page of a file."""
    starts = {0, max(0, len(text) // 2 - _WINDOW // 2), max(0, len(text) - _WINDOW)}
    return {piece for start in starts if len(piece := text[start : start + _WINDOW].strip()) >= _WINDOW // 2}


def _vector_bytes(tx: MindTransaction, frame_id: int) -> set[bytes]:
    found = set()
    for table in tx.vectors.tables():
        blob = tx.connection.execute(f"SELECT embedding FROM {table} WHERE rowid = ?", (frame_id,)).get  # noqa: S608
        if blob is not None and any(blob):
            found.add(bytes(blob[:64]))
    return found


def _common(tx: MindTransaction, words: Iterable[str]) -> set[str]:
    """Words that stand in our own tables' names and identifiers: in bytes they cannot be told apart."""
    ours = " ".join(str(sql) for (sql,) in tx.connection.execute("SELECT sql FROM sqlite_schema"))
    query = "SELECT source FROM sessions WHERE source IS NOT NULL UNION SELECT source FROM import_runs"
    ours += " ".join(["", *(str(source) for (source,) in tx.connection.execute(query))])
    lowered = ours.casefold()
    return {word for word in words if word.casefold() in lowered}


def _texts_left(tx: MindTransaction, probes: Probes) -> int:
    if not probes.words:
        return sum(
            bool(tx.connection.execute("SELECT EXISTS (SELECT 1 FROM memory_frames WHERE id = ?)", (i,)).get)
            for i in probes.frame_ids
        )
    needles = Needles(sorted(probes.words), whole=probes.whole)
    found = sum(len(holder.find(tx, Sought(needles, ""))) for holder in TEXT_HOLDERS)
    return found + sum(holder.left(tx, needles) for holder in TEXT_HOLDERS)


def _vocabulary_left(path: Path, probes: Probes) -> int:
    """Words of the indexes whose entry is gone; of the erased texts where they are known, else of all."""
    found = 0
    with connected(path) as connection:
        for number, (table, tokenizer) in enumerate(_TOKENIZED):
            connection.execute(
                f"CREATE VIRTUAL TABLE temp.said_{number} USING fts5vocab('main', '{table}', 'instance')"
            )
            orphan = f"doc NOT IN (SELECT id FROM {table}_content)"  # noqa: S608
            if not probes.texts:
                found += _count(connection, f"SELECT count(*) FROM temp.said_{number} WHERE {orphan}")  # noqa: S608
                continue
            connection.execute(f"CREATE VIRTUAL TABLE temp.gone_{number} USING fts5(content, tokenize='{tokenizer}')")
            connection.executemany(
                f"INSERT INTO temp.gone_{number} (content) VALUES (?)",  # noqa: S608
                [(text,) for text in probes.texts],
            )
            connection.execute(
                f"CREATE VIRTUAL TABLE temp.words_{number} USING fts5vocab('temp', 'gone_{number}', 'row')"
            )
            found += _count(
                connection,
                f"SELECT count(*) FROM temp.words_{number} AS w JOIN temp.said_{number} AS s ON s.term = w.term"  # noqa: S608
                f" WHERE s.{orphan}",
            )
    return found


def _vectors_left(tx: MindTransaction, probes: Probes) -> int:
    found = 0
    for frame_id in probes.frame_ids:
        for table, column in (("memory_frames_bits", "frame_id"), ("frame_tokens", "frame_id")):
            found += _count(tx.connection, f"SELECT count(*) FROM {table} WHERE {column} = ?", frame_id)  # noqa: S608
        for table in tx.vectors.tables():
            found += _count(tx.connection, f"SELECT count(*) FROM {table} WHERE rowid = ?", frame_id)  # noqa: S608
    if not probes.frame_ids:
        for table in tx.vectors.tables():
            query = f"SELECT count(*) FROM {table} WHERE rowid NOT IN (SELECT id FROM memory_frames)"  # noqa: S608
            found += _count(tx.connection, query)
    return found


def _count(connection: Connection, query: str, *values: int) -> int:
    return int(connection.execute(query, values).get or 0)
