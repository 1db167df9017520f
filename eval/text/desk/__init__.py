"""The texts of a topic laid out for measures: each is read once, however many measures ask."""

from eval.text.desk.desk import Desk
from eval.text.desk.tools import Tools

__all__ = ["Desk", "Tools"]
