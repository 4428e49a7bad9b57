"""``evalstats serve``: the questions of the command line on a page of the browser."""

from __future__ import annotations

__all__ = ["serve"]

import os
import signal
import sys
from typing import Any

import click

from evalstats.cli.options import option


@click.command(short_help="Ask on a page of the browser.")
@option("--port", "N", "Where it listens; a free one if not given.", type=click.IntRange(0, 65535), default=0)
@click.option("--browser/--no-browser", default=True, help="Open it in the browser, or print its address only.")
@option("--time-limit", "S", "Seconds an analysis may take.", type=click.FloatRange(1), default=300, show_default=True)
def serve(port: int, browser: bool, time_limit: float) -> None:
    """Show a page where tables are pasted or chosen, and compared. Nothing leaves this machine; Ctrl-C stops it."""
    from evalstats.serving.server import PageServer

    try:
        server = PageServer(port, time_limit=time_limit)
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.UsageError(f"--port {port} cannot be used ({reason}); leave it out for a free one") from None
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        click.echo(f"{server.address}\nNothing leaves this machine. Ctrl-C stops the page.")
        server.workers.warm_up()
        if browser and _has_screen():
            _open(server.address)
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("\nStopped.")
    finally:
        server.server_close()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    """Tell whether a browser can be shown: one that lives in the terminal would hide the address."""
    is_mac_or_windows = sys.platform in ("darwin", "win32", "cygwin")
    return is_mac_or_windows or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
