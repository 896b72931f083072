"""Response models of the API, made from the records that explorers return, so that there is nothing to keep in step.

`plain.Json` writes a record as an object with every field; the model of the record describes exactly that: arrays and
tuples are lists, a float may be null (not known), the comment of a field is its description.
"""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import BaseModel, Field, create_model

Number = float | None  # null where it is not known
_COMMENT = re.compile(r"^    (\w+): [^#\n]*#\s*(.+)$", re.MULTILINE)


@cache
def model_of(record: type) -> type[BaseModel]:
    """The model of a dataclass, of the same name."""
    return model_with(record)


def list_of(model: type) -> Any:
    """A list of a model, or of the model of a dataclass."""
    return list[model_of(model) if is_dataclass(model) else model]  # type: ignore[misc]


def model_with(record: type, name: str | None = None, /, without: tuple[str, ...] = (), **more: Any) -> type[BaseModel]:
    """The model of a dataclass under another name, with fields left out or added: `id=(str, Field(...))`."""
    hints, comments = get_type_hints(record), _comments(record)
    own: dict[str, Any] = {
        one.name: (_json_type(hints[one.name]), Field(description=comments.get(one.name)))
        for one in fields(record)
        if one.name not in without
    }
    return create_model(name or record.__name__, __doc__=record.__doc__, **own, **more)


def _comments(record: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in filter(is_dataclass, reversed(record.__mro__)):
        with suppress(OSError):  # installed without its source
            found |= _COMMENT.findall(inspect.getsource(one))
    return found


def _json_type(hint: Any) -> Any:
    """What the JSON of a value of this type looks like."""
    parts = tuple(_json_type(part) for part in get_args(hint) if part is not Ellipsis)
    if hint is float:
        return Number
    if hint is np.ndarray:
        return list[Number | list[Number]]
    if is_dataclass(hint):
        return model_of(hint)  # type: ignore[arg-type]
    if get_origin(hint) in (Union, UnionType):
        return Union[parts]  # noqa: UP007
    if get_origin(hint) is tuple:
        count = None if Ellipsis in get_args(hint) else len(parts)
        item: Any = Union[parts]  # noqa: UP007
        return Annotated[list[item], Field(min_length=count, max_length=count)]
    return get_origin(hint)[parts] if parts else hint
