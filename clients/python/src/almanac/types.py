"""The forms of replies that are returned as they are: dicts with these fields, and others of a newer service."""

from __future__ import annotations

from typing import Any, TypedDict

#: The source of a series, such as one that a search returned.
Source = dict[str, Any]


class SearchResult(TypedDict):
    source: Source
    title: str
    provider: str
    frequency: str
    span: dict[str, str] | None
    units: str


class _EstimateExtras(TypedDict, total=False):
    #: Present only if there are such members of the default ensemble.
    not_fitted_models: list[str]


class Estimate(_EstimateExtras):
    credits: int
    credits_left: int | None
    rows: int
    folds: int
    models: list[str]
    frequency: str
    season: int
    warnings: list[str]


class Metrics(TypedDict):
    count: int
    point_count: int
    mae: float | None
    rmse: float | None
    smape: float | None
    average_wql: float | None
    coverage: dict[str, float]


class Event(TypedDict):
    forecast_id: str
    slug: str
    category: str
    entity: dict[str, str]
    question: str
    possible_future_headline: str
    probability: float
    status: str
    revision: int
    created_at: str
    revised_at: str
    input_cutoff_at: str
    resolution_deadline: str
    visibility: str
    workspace_id: str | None
    model: str | None
    score: dict[str, Any] | None


class Revision(TypedDict):
    revision: int
    probability: float
    possible_future_headline: str
    input_cutoff_at: str
    note: str | None
    created_at: str


class Filter(TypedDict, total=False):
    id: str
    name: str
    universe: str | list[str]
    all: list[dict[str, Any]]
    any: list[dict[str, Any]]
    email: bool
    created_at: str
    updated_at: str
    unknown_symbols: list[str]


class Match(TypedDict, total=False):
    symbol: str
    new: bool
    values: dict[str, float]
    recent_closes: list[float]
