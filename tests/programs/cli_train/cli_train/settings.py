"""Settings from the environment and the command line."""

import argparse
import logging
import os
from typing import NamedTuple

log = logging.getLogger("cli_train")
DEBUG = os.environ.get("CLI_TRAIN_DEBUG", "") == "1"


class Settings(NamedTuple):
    width: int = 4
    rate: float = 0.5
    steps: int = 3
    optimizer: str = "sgd"


def parse(argv=None):
    """Settings from arguments; the environment gives defaults."""
    parser = argparse.ArgumentParser()
    defaults = Settings(steps=int(os.getenv("CLI_TRAIN_STEPS", "3")))
    for name, value in defaults._asdict().items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    settings = Settings(**vars(parser.parse_args(argv)))
    log.info("settings %s", settings)
    return settings
