"""``weps train-language DATA --out FOLDER``: build the embedded English pipeline and its card."""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from weps._files import make_folder
from weps.cli.console import Console
from weps.cli.options import add_jobs, number_parser
from weps_eval.language.corpora import check_files
from weps_eval.language.publishing import publish_pipeline
from weps_eval.language.training import recipe_settings, train_parts, write_entities, write_syntax


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("data", metavar="DATA", type=Path, help="folder of annotated English")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder for the pipeline and its model card",
    )
    parser.add_argument(
        "--steps",
        type=number_parser(int, "a number of steps", lambda steps: steps > 0),
        metavar="N",
        help="training steps instead of the recipes' (a trial)",
    )
    add_jobs(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Convert, train both parts, assemble, measure, write."""
    check_files(options.data)
    work = options.out / "work"
    make_folder(work)
    console.write_status("converting the annotated data")
    words = {
        "syntax": write_syntax(options.data, work / "syntax"),
        "entities": write_entities(options.data, work / "entities"),
    }
    console.write_status(f"training; progress is written to {work}/*.log")
    started = time.monotonic()
    parts = train_parts(work, options.jobs, options.steps)
    minutes = (time.monotonic() - started) / 60
    order = "one after the other" if options.jobs == 1 else "side by side"
    training = {
        **recipe_settings(options.steps),
        "training time": f"{minutes:.0f} minutes, {order}",
    }
    publish_pipeline(parts, options.data, options.out, training, words, console)
    shutil.rmtree(work)
    console.write(f"pipeline: {options.out}")
    return 0
