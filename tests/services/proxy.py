"""The real LiteLLM proxy, on this computer, with models of our own: made once per lock, outside the tree.

`python -m tests.services.proxy` makes it beforehand. Without a network, and nothing made before, tests are skipped.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent / "litellm"
LOCK = HERE / "requirements.lock"
KEY = "sk-only-for-this-test"
#: Seconds for each installer on a slow line, and for the proxy to come up on a busy computer.
INSTALL_SECONDS, START_SECONDS = 300, 300


class NotHere(Exception):
    """The proxy cannot be made here; the words say why."""


def environment() -> Path:
    """Where the proxy lives: outside the tree, by the digest of its lock."""
    cache = os.environ.get("HIVE_MIND_TEST_CACHE") or Path.home() / ".cache" / "hive-mind-tests"
    return Path(cache) / f"litellm-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]}"


def made() -> Path:
    """Its Python, installed from the hash-checked lock if it is not there. Raises NotHere."""
    place = environment()
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if (place / "whole").exists():
        return python
    shutil.rmtree(place, ignore_errors=True)
    try:
        # pip takes minutes for these hundred packages; it brings uv, locked too, and uv takes half a minute.
        venv.create(place, with_pip=True)
        checked = ["install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
        run([str(python), "-m", "pip", *checked, "--no-compile", "--retries", "1", "-r", str(HERE / "installer.lock")])
        run(
            [
                str(python),
                "-m",
                "uv",
                "pip",
                *checked,
                "--no-cache",
                "--system-certs",
                "--compile-bytecode",
                "--python",
                str(python),
                "-r",
                str(LOCK),
            ]
        )
    except (OSError, subprocess.SubprocessError) as fault:
        shutil.rmtree(place, ignore_errors=True)
        told = getattr(fault, "stderr", None) or str(fault)
        raise NotHere(
            f"the LiteLLM proxy could not be installed: {str(told).strip().splitlines()[-1][:200]}"
        ) from fault
    (place / "whole").touch()
    return python


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """The proxy's address while the block lasts. `folder`: for what it writes. Raises NotHere, RuntimeError."""
    python = made()
    for name in ("config.yaml", "scripted_models.py"):
        shutil.copy(HERE / name, folder / name)
    port = free_port()
    log = folder / "proxy.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(python), "-m", "litellm.proxy.proxy_cli", "--config", "config.yaml", "--host", "127.0.0.1",
             "--port", str(port)],
            cwd=folder, env=surroundings(folder), stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        wait_for(f"http://127.0.0.1:{port}/health/liveliness", process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def surroundings(folder: Path) -> dict[str, str]:
    """What the proxy sees of the world: no settings of whoever runs the tests, no price list from the network."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT", "TEMP") if name in os.environ}
    return {
        **kept,
        "HOME": str(folder),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_TELEMETRY": "False",
        "NO_DOCS": "True",
        "PYTHONPATH": str(folder),
        "PYTHONUNBUFFERED": "1",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
    }


def run(words: list[str]) -> None:
    """Raises OSError or SubprocessError."""
    surely = dict(os.environ)
    if "PIP_CERT" in surely:  # Whoever tells pip of a certificate means uv as well, which has another name for it.
        surely.setdefault("SSL_CERT_FILE", surely["PIP_CERT"])
    subprocess.run(words, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS, env=surely)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers. Raises NotHere when it is too slow, RuntimeError with the end of its log when it gave up."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError, urllib.error.URLError), urllib.request.urlopen(url, timeout=2):
            return
        time.sleep(0.2)
    if process.poll() is None:
        raise NotHere(f"this computer is too busy: the LiteLLM proxy was not up after {START_SECONDS} s")
    raise RuntimeError(f"the LiteLLM proxy did not start: {log.read_text('utf-8', 'replace')[-600:]}")


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{made()}\n")
    except NotHere as reason:
        sys.exit(str(reason))
