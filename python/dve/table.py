"""Tables: lists of dicts, a row each, that become a pandas.DataFrame as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    import pandas


class Table(list[dict[str, Any]]):
    """A list of rows, each a dict with the same keys.

    >>> table = dve.Table([{"dtype": "fp32", "cycles": 10}, {"dtype": "bf16", "cycles": 9}])
    >>> table.columns()
    {'dtype': ['fp32', 'bf16'], 'cycles': [10, 9]}
    >>> print(table.text())
    dtype  cycles
    fp32       10
    bf16        9
    >>> table.to_pandas()["cycles"].min()
    9
    """

    def columns(self) -> dict[str, list[Any]]:
        """The table as a dict of columns."""
        return {name: [row[name] for row in self] for name in (self[0] if self else {})}

    def select(self, *names: str) -> "Table":
        """The named columns, in this order."""
        return Table({name: row[name] for name in names} for row in self)

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(list(self))

    def text(self) -> str:
        """The table as aligned text: numbers to the right, everything else to the left."""
        columns = self.columns()
        blocks = [_aligned(name, values) for name, values in columns.items()]
        return "\n".join("  ".join(cells).rstrip() for cells in zip(*blocks))


def _aligned(name: str, values: Iterable[Any]) -> list[str]:
    values = list(values)
    numbers = all(isinstance(value, (int, float)) for value in values)
    cells = [name, *("" if value is None else str(value) for value in values)]
    width = max(map(len, cells))
    return [cell.rjust(width) if numbers else cell.ljust(width) for cell in cells]
