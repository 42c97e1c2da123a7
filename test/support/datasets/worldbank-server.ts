import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
  WireText,
} from '../platform/wire-server.ts';

/** A country or an aggregate of the server. */
export interface WorldBankCountry {
  readonly id: string;
  readonly iso2Code: string;
  readonly name: string;
}

/** An observation of the server: date, value, flag and footnote. */
export type WorldBankRow = readonly [date: string, value: number | null, status?: string, footnote?: string];

export interface WorldBankIndicator {
  readonly id: string;
  readonly name: string;
  readonly unit?: string;
  readonly source: { readonly id: string; readonly value: string };
  readonly note?: string;
  readonly organization?: string;
  readonly topics?: readonly string[];
  readonly lastUpdated?: string;
  /** The rows by country, newest first. An archived indicator has none. */
  readonly rows?: Readonly<Record<string, readonly WorldBankRow[]>>;
  /** Which codes its rows have. Default: both. `id_only` is the long code in the place of the short one. */
  readonly codes?: 'both' | 'id_only';
  /** Whether its source refuses requests for footnotes, as some do. */
  readonly refusesFootnotes?: boolean;
}

export interface WorldBankServerOptions {
  readonly countries: readonly WorldBankCountry[];
  readonly indicators: readonly WorldBankIndicator[];
  /** Countries whose rows have no long code, as those of some aggregates. */
  readonly withoutLongCode?: readonly string[];
  /** Pages have at most so many rows, whatever is requested. */
  readonly maxPerPage?: number;
}

/** A reply with a message: World Bank sends it with the status 200. */
class Message extends Error {
  readonly body: unknown;

  constructor(id: string, key: string, value: string) {
    super(value);
    this.body = [{ message: [{ id, key, value }] }];
  }
}

const invalidValue = () => new Message('120', 'Invalid value', 'The provided parameter value is not valid');
const archived = () =>
  new Message('175', 'Invalid format', 'The indicator was not found. It may have been deleted or archived.');

/** What the World Bank sends for an address that its web server refuses. */
const REQUEST_ERROR = new WireText(
  '<!DOCTYPE html><html><head><title>Request Error</title></head></html>',
  'text/html',
);

/**
 * Starts a server that speaks the protocol of the World Bank's indicators.
 *
 * @example await using server = await startWorldBankServer({ countries, indicators });
 */
export function startWorldBankServer(options: WorldBankServerOptions): Promise<WireServer> {
  return startWireServer((request): WireReply => {
    try {
      const body = answer(options, request);
      return body === undefined ? { status: 404, body: REQUEST_ERROR } : { status: 200, body };
    } catch (error) {
      if (error instanceof Message) return { status: 200, body: error.body };
      if (error instanceof RangeError) return { status: 400, body: REQUEST_ERROR };
      throw error;
    }
  });
}

function answer(options: WorldBankServerOptions, { path, query }: WireRequest): unknown {
  const segments = path.split('/').slice(1).map(decodeURIComponent);
  const [kind, name, inner, id, ...others] = segments;
  if (others.length > 0) return undefined;
  // The World Bank sends XML unless JSON is requested.
  if (query.format !== 'json') return new WireText('<?xml version="1.0" encoding="utf-8"?><wb:error/>', 'text/xml');
  if (kind === 'country' && inner === 'indicator' && id !== undefined && name !== undefined) {
    return listRows(options, { country: name, id }, query);
  }
  if (inner !== undefined) return undefined;
  if (kind === 'country') return listCountries(options, name, query);
  if (kind === 'indicator') return listIndicators(options, name, query);
  return undefined;
}

function listCountries(options: WorldBankServerOptions, name: string | undefined, query: WireRequest['query']) {
  checkParameters(query, []);
  const countries = name === undefined || isAll(name) ? options.countries : [findCountry(options, name)];
  const rows = countries.map(({ id, iso2Code, name: label }) => ({
    id,
    iso2Code,
    name: label,
    region: { id: 'NAC', iso2code: 'XU', value: 'North America' },
    capitalCity: '',
    longitude: '',
    latitude: '',
  }));
  return paged(options, rows, query, {}, String);
}

function listIndicators(options: WorldBankServerOptions, name: string | undefined, query: WireRequest['query']) {
  checkParameters(query, []);
  const indicators = name === undefined || isAll(name) ? options.indicators : [findIndicator(options, name)];
  const rows = indicators.map((indicator) => ({
    id: indicator.id,
    name: indicator.name,
    unit: indicator.unit ?? '',
    source: indicator.source,
    sourceNote: indicator.note ?? '',
    sourceOrganization: indicator.organization ?? '',
    topics: (indicator.topics ?? []).map((value, index) => ({ id: String(index + 1), value })),
  }));
  return paged(options, rows, query, {}, String);
}

function listRows(
  options: WorldBankServerOptions,
  requested: { readonly country: string; readonly id: string },
  query: WireRequest['query'],
) {
  const indicator = findIndicator(options, requested.id);
  checkParameters(query, indicator.refusesFootnotes ? [] : ['footnote']);
  const countries = isAll(requested.country) ? options.countries : [findCountry(options, requested.country)];
  const { rows, codes = 'both', source } = indicator;
  if (rows === undefined) throw archived();
  const wire = countries.flatMap(({ id, iso2Code, name }) =>
    (rows[id] ?? []).map(([date, value, status = '', footnote = '']) => ({
      indicator: { id: indicator.id, value: indicator.name },
      country: { id: codes === 'id_only' ? id : iso2Code, value: name },
      countryiso3code: codes === 'id_only' || options.withoutLongCode?.includes(id) ? '' : id,
      date,
      value,
      unit: indicator.unit ?? '',
      obs_status: status,
      decimal: 0,
      ...(query.footnote === 'y' && { footnote }),
    })),
  );
  return paged(options, wire, query, { sourceid: source.id, lastupdated: indicator.lastUpdated ?? null }, Number);
}

/** Returns `[header, rows]`. The size of a page is a string in some headers and a number in others. */
function paged(
  { maxPerPage = 32_500 }: WorldBankServerOptions,
  rows: readonly unknown[],
  { page = '1', per_page: perPage = '50' }: WireRequest['query'],
  facts: Readonly<Record<string, unknown>>,
  write: (size: number) => unknown,
): unknown {
  if (rows.length === 0) return [{ page: 0, pages: 0, per_page: 0, total: 0, sourceid: null, lastupdated: null }, null];
  const size = Math.min(readPositive(perPage), maxPerPage);
  const number = readPositive(page);
  const pages = Math.ceil(rows.length / size);
  const header = { page: number, pages, per_page: write(size), total: rows.length, ...facts };
  return [header, rows.slice((number - 1) * size, number * size)];
}

function readPositive(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalidValue();
  return Number(text);
}

/** The World Bank ignores the case of codes. */
function findCountry({ countries }: WorldBankServerOptions, name: string): WorldBankCountry {
  const code = name.toUpperCase();
  const country = countries.find(({ id, iso2Code }) => id === code || iso2Code === code);
  if (country === undefined) throw invalidValue();
  return country;
}

function findIndicator({ indicators }: WorldBankServerOptions, name: string): WorldBankIndicator {
  const indicator = indicators.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (indicator === undefined) throw invalidValue();
  return indicator;
}

function isAll(name: string): boolean {
  return name.toLowerCase() === 'all';
}

/** Refuses parameters that the adapter has no reason to send. */
function checkParameters(query: WireRequest['query'], more: readonly string[]): void {
  const known = ['format', 'page', 'per_page', ...more];
  for (const name of Object.keys(query)) if (!known.includes(name)) throw new RangeError(`The parameter ${name}.`);
}
