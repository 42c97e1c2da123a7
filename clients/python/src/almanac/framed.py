"""An object that stands for a frame and has more to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator


class Framed:
    """Everything that its frame can do works on the object itself. Typed programs use `frame`."""

    #: The frame: of pandas, of the library that the rows came from, or a dict of columns without pandas.
    frame: Any

    def __len__(self) -> int:
        frame = self.frame
        return len(next(iter(frame.values()))) if isinstance(frame, dict) else len(frame)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.frame)

    def __getitem__(self, key: Any) -> Any:
        return self.frame[str(key) if isinstance(key, float) else key]

    def _repr_html_(self) -> str | None:
        to_html = getattr(self.frame, "_repr_html_", None)
        return None if to_html is None else str(to_html())

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Private names would break copying and pickling, which look for hooks before there is a frame.
            if name.startswith("_") and name != "__dataframe__" or name == "frame":
                raise AttributeError(name)
            try:
                return getattr(self.frame, name)
            except AttributeError:
                raise AttributeError(f"{type(self).__name__} and its frame have no attribute {name}") from None
