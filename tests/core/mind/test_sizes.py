"""Sizes: every page counted once, every table of a mind has its kind, the estimate near what is stored."""

from __future__ import annotations

from pathlib import Path

from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder

from hivemind.mind.sizes import KINDS, OTHER, bytes_per_kind, kind_of, vector_bytes


def test_every_page_is_counted_once_and_the_estimate_is_near(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder("same"))
    try:
        meaning.save_many(300)
        meaning.embedded()
        path = meaning.run(meaning.engine.minds.get("personal")).path

        def look(tx):  # type: ignore[no-untyped-def]
            serving = tx.vectors.serving()
            assert serving is not None
            pages = tx.connection.execute("PRAGMA page_count").get * tx.connection.execute("PRAGMA page_size").get
            return bytes_per_kind(tx.connection), vector_bytes(tx.connection, serving), pages

        kinds, about, pages = meaning.write(look)
        assert sum(kinds.values()) == pages
        assert set(kinds) <= {kind for kind, _ in KINDS} | {OTHER, "free"}
        assert 0.5 < about / kinds["vectors"] < 1.2
        assert meaning.facts().vector_bytes == about
        assert path.exists()
    finally:
        meaning.close()


def test_tables_have_their_kind() -> None:
    assert kind_of("memory_frames") == "memories"
    assert kind_of("memory_frames_fts_data") == "word index"
    assert kind_of("memory_frames_vec_next_chunks") == "vectors"
    assert kind_of("archive_blocks") == "conversations"
    assert kind_of("ai_log_chain") == "interaction log"
    assert kind_of("awareness") == OTHER
