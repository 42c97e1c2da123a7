"""A frame of another library: it has the dataframe protocol and nothing of pandas."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import pandas as pd


class ForeignFrame:
    """Stands for polars, which Debian does not have: made from a dict of columns, read by the protocol."""

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self.columns_given = {name: list(values) for name, values in columns.items()}
        self._frame = pd.DataFrame(self.columns_given)

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self._frame.__dataframe__(allow_copy=allow_copy)

    def __len__(self) -> int:
        return len(self._frame)

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns_given[name]
