import { MINUTE_MS } from '../../../src/calendar/index.ts';
import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
  WireText,
} from '../platform/wire-server.ts';
import {
  datesOfVintages,
  describeSeries,
  type FredSeries,
  LAST_DATE,
  listObservations,
  type RealtimePeriod,
} from './fred-history.ts';

export type { FredRevision, FredSeries } from './fred-history.ts';

export interface FredServerOptions {
  /** 32 lower-case letters or digits. */
  readonly key: string;
  /** Read at every request, so that a test can change them. */
  readonly series: readonly FredSeries[];
  /** The current time in milliseconds. Numbers that are published later do not exist yet. Default: the real one. */
  readonly clock?: () => number;
  /** More requests in one minute of the clock are refused. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** The largest number of observations in a page. Default: that of FRED. */
  readonly pageRows?: number;
}

const REALTIME = ['realtime_start', 'realtime_end'];
const PAGE = ['limit', 'offset', 'sort_order'];
/** The parameters of each path that the server accepts, besides the key and the type of the file. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/fred/series': ['series_id', ...REALTIME],
  '/fred/series/observations': ['series_id', ...REALTIME, ...PAGE],
  '/fred/series/vintagedates': ['series_id', ...REALTIME, ...PAGE],
  '/fred/series/search': ['search_text', 'order_by', ...PAGE],
  '/fred/tags/series': ['tag_names', 'order_by', ...PAGE],
};
const MORE_INFORMATION = 'Read https://fred.stlouisfed.org/docs/api/api_key.html for more information.';

/** A reply other than 200. FRED writes two spaces between sentences. */
class Refusal extends Error {
  readonly reply: WireReply;

  constructor(message: string, status = 400) {
    super(message);
    this.reply = { status, body: { error_code: status, error_message: message } };
  }
}

const refuse = (message: string) => new Refusal(`Bad Request.  ${message}`);
const NOT_IN_ALFRED =
  "The series does not exist in ALFRED but may exist in FRED.  Try setting realtime_start and realtime_end to today's " +
  'date or removing the realtime_start and realtime_end variables.';

/**
 * Starts a server that speaks the protocol of FRED and ALFRED, and refuses what FRED refuses. It has every revision of
 * its series, and replies with the values that stood on the requested dates.
 *
 * @example
 * const revisions = [
 *   { date: '2024-01-01', value: 28_284.5, published: '2024-04-25' },
 *   { date: '2024-01-01', value: 28_255.9, published: '2024-05-30' },
 * ];
 * await using server = await startFredServer({ key, series: [{ id: 'GDP', title: 'GDP', frequency: 'Q', revisions }] });
 */
export async function startFredServer(options: FredServerOptions): Promise<WireServer> {
  const { clock = Date.now, requestsPerMinute = Number.POSITIVE_INFINITY } = options;
  let window = { minute: 0, requests: 0 };
  return startWireServer((request) => {
    const minute = Math.floor(clock() / MINUTE_MS);
    window = { minute, requests: window.minute === minute ? window.requests + 1 : 1 };
    try {
      if (window.requests > requestsPerMinute) throw new Refusal('Too Many Requests.  Exceeded Rate Limit', 429);
      const body = answer(options, request, CHICAGO_DATE.format(clock()));
      const isJson = request.query.file_type === 'json';
      return { status: 200, body: isJson ? body : new WireText('<?xml version="1.0"?><seriess/>', 'text/xml') };
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  });
}

const CHICAGO_DATE = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', dateStyle: 'short' });

function answer({ key, series, pageRows }: FredServerOptions, { path, query }: WireRequest, today: string): unknown {
  const allowed = PARAMETERS[path];
  if (allowed === undefined) throw new Refusal('Not Found', 404);
  checkKey(query.api_key, key);
  for (const name of Object.keys(query)) {
    if (![...allowed, 'api_key', 'file_type'].includes(name)) throw refuse(`Variable ${name} is not expected.`);
  }
  const period = parsePeriod(query, today);
  if (path === '/fred/series/search') return { ...period.echo, ...search(series, query, today) };
  if (path === '/fred/tags/series') return { ...period.echo, ...listByTag(series, query, today) };
  const one = findSeries(series, query.series_id, period, today);
  if (path === '/fred/series') return { ...period.echo, seriess: [describeSeries(one, period, today)] };
  if (path === '/fred/series/vintagedates') {
    const dates = datesOfVintages(one, period, today);
    const { page, ...echo } = selectPage(dates, query, { maxLimit: 10_000, orderBy: 'vintage_date' });
    return { ...period.echo, ...echo, vintage_dates: page };
  }
  const observations = listObservations(one, period, today);
  const { page, ...echo } = selectPage(observations, query, {
    maxLimit: 100_000,
    orderBy: 'observation_date',
    ...(pageRows !== undefined && { pageRows }),
  });
  const bounds = { observation_start: '1600-01-01', observation_end: LAST_DATE };
  return { ...period.echo, ...bounds, units: 'lin', output_type: 1, file_type: 'json', ...echo, observations: page };
}

function checkKey(given: string | undefined, key: string): void {
  if (given === undefined || given === '') throw refuse(`Variable api_key is not set.  ${MORE_INFORMATION}`);
  if (!/^[a-z0-9]{32}$/.test(given)) {
    const problem = 'is not a 32 character alpha-numeric lower-case string';
    throw refuse(`The value for variable api_key ${problem}.  ${MORE_INFORMATION}`);
  }
  if (given !== key) throw refuse(`The value for variable api_key is not registered.  ${MORE_INFORMATION}`);
}

type Query = WireRequest['query'];
type Period = RealtimePeriod & { readonly echo: Readonly<Record<string, string>> };

function parsePeriod({ realtime_start: from, realtime_end: to }: Query, today: string): Period {
  for (const [name, date] of [
    ['realtime_start', from],
    ['realtime_end', to],
  ] as const) {
    if (date === undefined) continue;
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) {
      throw refuse(`Variable ${name} is not a YYYY-MM-DD formatted date (e.g. 2000-02-24).`);
    }
    if (date > today && date !== LAST_DATE) {
      const exception = `unless it's equal to the real-time max date ${LAST_DATE}`;
      throw refuse(`Variable ${name} can not be after today's date (${today}) ${exception}.`);
    }
  }
  const start = from ?? (to === undefined ? today : '1776-07-04');
  const end = to ?? (from === undefined ? today : LAST_DATE);
  if (start > end) throw refuse('Variable realtime_start can not be after realtime_end.');
  return { start, end, echo: { realtime_start: start, realtime_end: end } };
}

function findSeries(all: readonly FredSeries[], id: string | undefined, period: Period, today: string): FredSeries {
  if (id === undefined) throw refuse('Variable series_id is not set.');
  if (!/^\w{1,25}$/.test(id)) {
    throw refuse('Invalid value for variable series_id.  Series IDs should be 25 or less alphanumeric characters.');
  }
  const series = all.find((one) => one.id === id);
  const isToday = period.start === today && period.end === today;
  // FRED gives the same reply for an unknown series and for a date before the first vintage.
  const hasVintage = series !== undefined && datesOfVintages(series, { ...period, start: '' }, today).length > 0;
  if (!isToday && !hasVintage) throw refuse(NOT_IN_ALFRED);
  if (series === undefined) throw refuse('The series does not exist.');
  return series;
}

interface PageRules {
  readonly maxLimit: number;
  readonly orderBy: string;
  readonly pageRows?: number;
}

function selectPage<Item>(items: readonly Item[], query: Query, { maxLimit, orderBy, pageRows = maxLimit }: PageRules) {
  const { limit = String(maxLimit), offset = '0', sort_order: order = 'asc' } = query;
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit) {
    throw refuse(`Variable limit is not between 1 and ${maxLimit}.`);
  }
  if (!/^\d+$/.test(offset)) throw refuse('Variable offset is not a non-negative integer.');
  if (order !== 'asc' && order !== 'desc') throw refuse('Variable sort_order is not one of the values: asc, desc.');
  const from = Number(offset);
  const rows = Math.min(Number(limit), pageRows);
  return {
    order_by: orderBy,
    sort_order: order,
    count: items.length,
    offset: from,
    limit: rows,
    page: (order === 'asc' ? items : items.toReversed()).slice(from, from + rows),
  };
}

function search(all: readonly FredSeries[], query: Query, today: string): Record<string, unknown> {
  const { search_text: text = '', order_by: orderBy = 'search_rank' } = query;
  if (text === '') throw refuse('Variable search_text is not set.');
  if (!['search_rank', 'popularity'].includes(orderBy)) throw refuse('Variable order_by is not one of the values.');
  const words = text.toLowerCase().split(' ');
  const found = all.filter(({ id, title }) => words.every((word) => `${id} ${title}`.toLowerCase().includes(word)));
  return listPage(
    found.toSorted((a, b) => (b.popularity ?? 0) - (a.popularity ?? 0)),
    query,
    orderBy,
    today,
  );
}

function listByTag(all: readonly FredSeries[], query: Query, today: string): Record<string, unknown> {
  const { tag_names: names = '', order_by: orderBy = 'series_id' } = query;
  if (names === '') throw refuse('Variable tag_names is not set.');
  if (orderBy !== 'popularity') throw refuse('Variable order_by is not one of the values.');
  const tagged = all.filter(({ tags = ['nation', 'usa'] }) => names.split(';').every((name) => tags.includes(name)));
  return listPage(
    tagged.toSorted((a, b) => (a.popularity ?? 0) - (b.popularity ?? 0)),
    query,
    orderBy,
    today,
  );
}

function listPage(
  series: readonly FredSeries[],
  query: Query,
  orderBy: string,
  today: string,
): Record<string, unknown> {
  const { page, ...echo } = selectPage(series, query, { maxLimit: 1_000, orderBy });
  return { ...echo, seriess: page.map((one) => describeSeries(one, { start: today, end: today }, today)) };
}
