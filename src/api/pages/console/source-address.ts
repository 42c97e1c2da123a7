// This file is also part of the scripts in web/, so it imports nothing but types.
import type { PublicReference, SourceReference, WarehouseReference } from '../../../contract/index.ts';

/** The prefixes of parameters that there can be several of. */
const DIMENSION = 'dim.';
const FILTER = 'filter.';

/** The workspace of a file. The form of a forecast has a `workspace_id` of its own, to which the forecast belongs. */
const FILE_WORKSPACE = 'file_workspace';

/**
 * Returns the parameters that name a series in the address of a page. Every field of the source has a parameter of its
 * own, so that forms without a script can set them. Other fields are left out: an object can have more than a source,
 * such as the rows of a series, and addresses have a limit.
 *
 * @example sourceParams({ type: 'market', symbol: 'AAPL', timeframe: '1D' }) // source=market, symbol=AAPL, timeframe=1D
 */
export function sourceParams(source: SourceReference): URLSearchParams {
  const params = new URLSearchParams({ source: source.type });
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || value === null) continue;
    if (name === 'dimensions') {
      for (const [dimension, choice] of Object.entries(value as object))
        params.append(`${DIMENSION}${dimension}`, choice);
    } else if (name === 'filters') appendFilters(params, value as Filters);
    else if (name === 'aggregate') {
      const { function: combine, frequency } = value as NonNullable<WarehouseReference['aggregate']>;
      params.append('aggregate', combine);
      params.append('aggregate_frequency', frequency);
    } else if (isFileWorkspace(source, name)) params.append(FILE_WORKSPACE, String(value));
    else if (isField(source, name)) params.append(name, String(value));
  }
  return params;
}

function isFileWorkspace({ type }: SourceReference, name: string): boolean {
  return type === 'workspace_csv' && name === 'workspace_id';
}

function isField({ type }: SourceReference, name: string): boolean {
  return Object.hasOwn(FIELDS, type) && (FIELDS[type as keyof typeof FIELDS] as readonly string[]).includes(name);
}

type Filters = NonNullable<WarehouseReference['filters']>;

function appendFilters(params: URLSearchParams, filters: Filters): void {
  for (const { field, values } of filters) {
    params.append(`${FILTER}${field}`, JSON.stringify(values));
  }
}

/** Returns the address of the page of a file with two of its columns chosen. */
export function fileAddress({ workspace_id, csv_id, time_field, value_field }: FileSource): string {
  const path = `/workspaces/${encodeURIComponent(String(workspace_id))}/files/${encodeURIComponent(String(csv_id))}`;
  const chosen = Object.entries({ time_field, value_field }).filter(([, name]) => typeof name === 'string');
  return `${path}?${new URLSearchParams(chosen as [string, string][])}`;
}

/** A source of the type `workspace_csv` as an address names it. Fields can be missing. */
export interface FileSource {
  readonly workspace_id?: unknown;
  readonly csv_id?: unknown;
  readonly time_field?: unknown;
  readonly value_field?: unknown;
}

/** Returns whether a source is a file of a workspace, whose series has its page at the file. */
export function isFileSource(source: object): source is FileSource {
  return (source as { readonly type?: unknown }).type === 'workspace_csv';
}

/** Returns the address of the page of a series. */
export function seriesAddress(source: PublicReference, more: Readonly<Record<string, string>> = {}): string {
  const params = sourceParams(source);
  for (const [name, value] of Object.entries(more)) params.append(name, value);
  return `/series?${params}`;
}

const FIELDS = {
  market: ['symbol', 'provider', 'timeframe', 'adjustment', 'session', 'price_side', 'value_field'],
  economic_series: ['provider', 'series_id', 'value_field', 'vintage'],
  warehouse_table: ['table', 'time_field', 'time_format', 'value_field', 'start', 'end'],
  workspace_csv: ['csv_id', 'time_field', 'value_field'],
} as const;

/**
 * Reads a source from the parameters of an address. The result is not checked: the operation that it is sent to does
 * that and names the field. Empty parameters count as missing, because forms send them for choices that were not made.
 *
 * @returns null if the address names no type of series
 */
export function readSource(query: Readonly<Record<string, unknown>>): object | null {
  const type = query.source;
  if (typeof type !== 'string' || !Object.hasOwn(FIELDS, type)) return null;
  const source: Record<string, unknown> = { type };
  for (const name of FIELDS[type as keyof typeof FIELDS]) if (isGiven(query[name])) source[name] = query[name];
  if (type === 'workspace_csv' && isGiven(query[FILE_WORKSPACE])) source.workspace_id = query[FILE_WORKSPACE];
  if (type === 'economic_series') {
    const dimensions = readPrefixed(query, DIMENSION);
    if (dimensions.length > 0) source.dimensions = Object.fromEntries(dimensions);
  }
  if (type === 'warehouse_table') {
    const filters = readPrefixed(query, FILTER).map(([field, text]) => ({ field, values: readValues(text) }));
    if (filters.length > 0) source.filters = filters;
    if (isGiven(query.aggregate)) {
      source.aggregate = { function: query.aggregate, frequency: query.aggregate_frequency };
    }
  }
  return source;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}

function readPrefixed(query: Readonly<Record<string, unknown>>, prefix: string): [name: string, value: unknown][] {
  return Object.entries(query)
    .filter(([name, value]) => name.startsWith(prefix) && isGiven(value))
    .map(([name, value]) => [name.slice(prefix.length), value]);
}

/** Reads the values of a filter: a JSON list or, as a person types it, one text. */
function readValues(text: unknown): unknown {
  if (typeof text !== 'string' || !text.startsWith('[')) return [text];
  try {
    return JSON.parse(text);
  } catch {
    return [text];
  }
}
