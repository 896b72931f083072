"""Settings from YAML, `--set key=value` and keyword arguments, checked against a model; unknown keys are named.

Each layer owns its own models (subclasses of `Settings`); this module only reads, merges and explains.
"""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from runout.errors import InputError

MOST_TEXT = 4_000_000  # characters of a file of settings
MOST_DEPTH, MOST_VALUES = 40, 200_000  # of groups in groups, and of values in all


class Settings(BaseModel):
    """A record of settings: immutable, every key known, every value checked.

    Each field is declared with a description. `help()` of a class and the tables of the documentation list them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        own = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
        rows = setting_rows(cls)
        if rows:
            width = max(len(row.name) for row in rows)
            lines = [_help_line(row, width) for row in rows]
            cls.__doc__ = "\n".join([*([own, ""] if own else []), "Settings:", *lines])

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced, without what was worked out from the old ones."""
        copied = super().model_copy(update=update, deep=deep)
        for name in set(copied.__dict__) - set(type(self).model_fields):
            del copied.__dict__[name]
        return copied


Model = TypeVar("Model", bound=Settings)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """What people are told of one setting."""

    name: str  # with dots: 'solve.target'
    default: str | None  # as it is written in YAML; None where it has to be given
    meaning: str


def setting_rows(model: type[BaseModel], depth: int = 2) -> list[SettingRow]:
    """Every setting of a model, in order; those of a group follow it, `depth` names deep."""
    rows = []
    for name, field in model.model_fields.items():
        shown, group = field.alias or name, _model_of(field.annotation)
        inner = setting_rows(group, depth - 1) if group is not None and depth > 1 else []
        default = None if field.is_required() else _default_text(field.get_default(call_default_factory=True))
        if not inner or field.default is None or _is_listed(field.annotation):
            rows.append(SettingRow(shown, default, field.description or ""))
        if not _is_listed(field.annotation):
            rows += [SettingRow(f"{shown}.{row.name}", row.default, row.meaning) for row in inner]
    return rows


def setting_group(model: type[BaseModel], names: Iterable[str]) -> type[BaseModel]:
    """The group of settings that is reached by these names."""
    for name in names:
        model = _model_of(model.model_fields[name].annotation)
    return model


def _is_listed(annotation: Any) -> bool:
    """Whether a field holds several of a group of settings."""
    return getattr(annotation, "__origin__", None) in (tuple, list)


def _default_text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(_default_text(part) for part in value)}]"
    if isinstance(value, BaseModel):
        given = value.model_dump(by_alias=True, exclude_defaults=True)
        return "{" + ", ".join(f"{key}: {_default_text(inner)}" for key, inner in given.items()) + "}"
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:_}" if isinstance(value, int) and value >= 10**6 else str(value) or "''"


def _help_line(row: SettingRow, width: int) -> str:
    end = "required" if row.default is None else f"default {row.default}"
    text = f"{row.meaning} ({end})" if row.meaning else f"({end})"
    return textwrap.fill(text, 110, initial_indent=f"  {row.name:<{width}}  ", subsequent_indent=" " * (width + 4))


class Document(Settings):
    """Settings that stand alone: built from keywords with one-line errors, or loaded from a YAML file."""

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise InputError(explain(type(self), error)) from None

    @classmethod
    def load(cls, path: str | Path, overrides: Iterable[str] = ()) -> Self:
        """The settings in a YAML file, with 'key=value' overrides."""
        return load(cls, path, overrides)

    def replace(self, **changes: Any) -> Self:
        """The same settings with some of them changed; everything is checked again.

            spot.replace(stack=500, flop_bet="33%, 75%", target=0.1)

        A setting inside a group is named with its groups, joined by underscores, as far as it takes to tell it apart:
        `betting_flop_bet` and `flop_bet` are the `bet` of `betting.flop`, `target` is `solve.target`. A mapping changes
        only those settings of a group that it names.
        """
        data = self.model_dump(by_alias=True)
        for name, value in changes.items():
            *groups, last = _path_of(type(self), name)
            place = data
            for group in groups:
                place[group] = {} if place.get(group) is None else place[group]
                place = place[group]
            if isinstance(value, Mapping) and isinstance(place.get(last), dict):
                value = _merged(place[last], value)
            place[last] = value
        return type(self)(**data)


def read_yaml(path: str | Path) -> dict[str, Any]:
    """The mapping in a YAML file; anything else is refused."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_TEXT + 1)
    except FileNotFoundError:
        raise InputError(f"no such file: {path}") from None
    except (OSError, ValueError) as error:  # no text, or a name that no file can have
        raise InputError(f"cannot read {path}: {error}") from None
    if len(text) > MOST_TEXT:
        raise InputError(f"{path} is no file of settings: it has more than {MOST_TEXT:,} characters")
    try:
        data = yaml.load(text, Loader=_UniqueKeys)
        check_plain(data)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}" if mark else ""
        raise InputError(
            f"{path} is not valid YAML{place}: {getattr(error, 'problem', None) or 'unreadable'}"
        ) from None
    except InputError as error:
        raise InputError(f"{path} {error}") from None
    except (RecursionError, MemoryError):
        raise InputError(f"{path} is no file of settings: it is nested too deeply") from None
    except (ValueError, TypeError) as error:  # a value that looks like a date and is none; a key that is a list
        raise InputError(f"{path} holds a value that YAML cannot read ({error}): put it in quotes") from None
    if data is None:
        raise InputError(f"{path} is empty: it should hold settings as 'key: value' lines")
    if not isinstance(data, dict):
        raise InputError(f"{path} should hold settings as 'key: value' lines, not {type(data).__name__}")
    return data


class _UniqueKeys(yaml.SafeLoader):
    """YAML in which a key stands once: of two the last would win without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:str" and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} is there twice", key.start_mark
                )
            seen.add(key.value if isinstance(key.value, str) else "")
        return super().construct_mapping(node, deep)


def check_plain(data: Any) -> None:
    """Refuse what no settings are: keys that are no text, values within values without end."""
    waiting, seen = [(data, 0)], 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if depth > MOST_DEPTH or seen > MOST_VALUES:
            raise InputError("is no file of settings: it is nested too deeply, holds itself or is too large")
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise InputError(f"has the key {key!r:.40}, which is no text: put it in quotes")
            waiting += [(one, depth + 1) for one in value.values()]
        elif isinstance(value, list | tuple | set):
            waiting += [(one, depth + 1) for one in value]


def apply_overrides(data: Mapping[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    """`data` with each 'a.b.c=value' set; values are read as YAML."""
    merged = _copied(data)
    for item in overrides:
        key, equals, text = item.partition("=")
        if not equals or not all(key.strip().split(".")):
            raise InputError(f"cannot read --set {item!r}: use key=value, with dots for nested keys (solve.target=0.1)")
        try:
            value = yaml.safe_load(text)
            check_plain(value)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError):
            raise InputError(f"cannot read the value of --set {item!r}: use a number, a word or YAML") from None
        *parents, last = key.strip().split(".")
        place = merged
        for parent in parents:
            inner = {} if place.get(parent) is None else place[parent]  # 'solve:' with nothing below it reads as None
            place[parent] = inner
            if not isinstance(inner, dict):
                raise InputError(f"cannot set {key!r}: {parent!r} is a single value, not a group of settings")
            place = inner
        place[last] = value
    return merged


def validated(model: type[Model], data: Mapping[str, Any], source: str = "settings") -> Model:
    """`data` as a `model`, or an InputError of one line that names the first bad key."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{source}: {explain(model, error)}") from None


def load(model: type[Model], path: str | Path, overrides: Iterable[str] = ()) -> Model:
    """The settings in a YAML file, with overrides, as a `model`."""
    return validated(model, apply_overrides(read_yaml(path), overrides), Path(path).name)


def dump(settings: Settings) -> str:
    """Settings as YAML that `load` reads back."""
    return yaml.safe_dump(settings.model_dump(mode="json", by_alias=True), sort_keys=False, allow_unicode=True)


def _copied(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in data.items()}


def _merged(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(data)
    for key, value in changes.items():
        inner = merged.get(key)
        both = isinstance(inner, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(inner, value) if both else value  # type: ignore[arg-type]
    return merged


def _path_of(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """The keys that lead to the setting that `name` stands for; the shortest where there are several."""
    paths = _paths(model)
    found = [path for path in paths if name in ("_".join(path[start:]) for start in range(len(path)))]
    shortest = [path for path in found if len(path) == min(map(len, found))]
    if len(shortest) > 1:
        names = ", ".join("_".join(path[-2:]) for path in shortest)
        raise InputError(f"{name!r} is the name of several settings: use {names}")
    return shortest[0] if shortest else _no_path(name, paths)


def _no_path(name: str, paths: list[tuple[str, ...]]) -> NoReturn:
    known = list(dict.fromkeys("_".join(path[start:]) for path in paths for start in range(len(path))))
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else "use " + ", ".join(path[0] for path in paths if len(path) == 1)
    raise InputError(f"unknown key {name!r}: {hint}")


def _paths(model: type[BaseModel]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, field in model.model_fields.items():
        key, group = field.alias or name, _model_of(field.annotation)
        found.append((key,))
        if group is not None and not _is_listed(field.annotation):
            found += [(key, *inner) for inner in _paths(group)]
    return found


def explain(model: type[BaseModel], error: ValidationError) -> str:
    """One error of a failed validation as one line: the key, and what is wrong with it or what would be accepted."""
    errors = error.errors()
    # A misspelt key is the cause of the missing one, so it comes first.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    return _explained(model, first)


def explain_all(model: type[BaseModel], error: ValidationError) -> list[tuple[str, str]]:
    """Every error of a failed validation: the key with dots ('' for the whole) and one line."""
    return [(".".join(_keys(one["loc"])), _explained(model, one)) for one in error.errors()]


def _keys(place: tuple[int | str, ...]) -> list[str]:
    """The keys to where an error is, without the names that pydantic gives to the kinds of value of one key."""
    return [
        str(part) for part in place if not re.fullmatch(r"(constrained-)?(int|float|str|bool)|[\w-]+\[.*\]", str(part))
    ]


def _explained(model: type[BaseModel], error: Any) -> str:
    path = _keys(error["loc"])
    name = ".".join(path)
    if error["type"] == "extra_forbidden":
        known = _known_keys(model, path[:-1])
        close = difflib.get_close_matches(path[-1], known, 1)
        hint = f"did you mean {close[0]!r}?" if close else "use " + ", ".join(known)
        return f"unknown key {name!r}: {hint}"
    if error["type"] == "missing":
        return f"missing key {name!r}"
    message = error["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    if error["type"] == "value_error":
        return f"{name}: {message}" if name else message
    return f"{name} = {error['input']!r}: {message}"


def _known_keys(model: Any, path: list[str]) -> list[str]:
    for part in path:
        field = next((f for n, f in model.model_fields.items() if part in (n, f.alias)), None)
        found = _model_of(field.annotation) if field else None
        if found is None:
            return []
        model = found
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_of(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        found = _model_of(part)
        if found is not None:
            return found
    return None
