"""``evalstats serve``: open the web interface."""

from __future__ import annotations

__all__ = ["serve"]

import os
import signal
import sys
import threading
from contextlib import suppress

import click

from evalstats.cli.options import StrictCommand, option

# signals that end the web interface; some systems have only some of them
_ENDS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@click.command(cls=StrictCommand, short_help="Open the web interface.")
@option("--port", "N", "Port. [default: any free port]", type=click.IntRange(0, 65535), default=0)
@click.option("--browser/--no-browser", default=True, help="Open the browser, or only print the address.")
@option(
    "--time-limit",
    "S",
    "Time limit of an analysis in seconds.",
    type=click.FloatRange(1),
    default=300,
    show_default=True,
)
def serve(port: int, browser: bool, time_limit: float) -> None:
    """Open a local web interface to compare tables. The data stay on this computer. Press Ctrl-C to stop."""
    from evalstats import _checks
    from evalstats.serving.server import PageServer

    _checks.duration(time_limit, "--time-limit")
    is_over = threading.Event()
    _listen(is_over)  # before there is anything to delete
    try:
        server = PageServer(port, time_limit=time_limit)
    except OSError as error:
        reason = error.strerror or str(error)
        raise click.UsageError(f"--port {port} cannot be used ({reason}); omit it to use a free port") from None
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    try:
        click.echo(f"{server.address}\nThe data stay on this computer. Press Ctrl-C to stop.")
        thread.start()
        server.workers.warm_up()
        if browser and _has_screen():
            _open(server.address)
        while not is_over.wait(0.5):  # without a time, some systems do not hear Ctrl-C
            pass
        server.shutdown()
    finally:
        server.server_close()
    with suppress(OSError):  # the terminal has gone, where it hung up
        click.echo("\nStopped.")


def _listen(is_over: threading.Event) -> None:
    """Set the event when a signal stops the server. Ignored signals stay ignored."""
    for number in (getattr(signal, name) for name in _ENDS if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: is_over.set())


def _has_screen() -> bool:
    """Return whether a graphical browser can be shown. A text browser would hide the address."""
    is_mac_or_windows = sys.platform in ("darwin", "win32", "cygwin")
    return is_mac_or_windows or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
