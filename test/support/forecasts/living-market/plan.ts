import { createSeededRandom, type Random } from '../../platform/seeded-random.ts';
import type { Market, SeriesName } from './market.ts';
import { isOut } from './providers.ts';
import { valuesAt } from './published-series.ts';
import { closeOf, DAY, dayAt, endOf, HOUR, listSessions, type PeriodKind } from './second-calendar.ts';
import { DELISTING_DATE, DIVIDEND_DATES, HALTED_DATES, SPLIT_DATE, type StockAdjustment } from './stocks.ts';

/** A forecast that an account makes during the year. */
export interface PlannedForecast {
  readonly number: number;
  readonly recipe: string;
  readonly at: number;
  readonly owner: 0 | 1;
  readonly series: SeriesName;
  readonly kind: PeriodKind;
  readonly adjustment: StockAdjustment;
  /** Whether every published row was read, so that no row existed that the forecast could not know. */
  readonly isLive: boolean;
  readonly settleDays: number;
  /** How the actual values arrive: the service collects them, or the account sends them. */
  readonly arrival: 'collected' | 'reported';
  /** The rows of the forecast that the account sends: with the request, or as a file. */
  readonly own: 'inline' | 'csv' | null;
  /** The number of the forecast that this one reproduces. */
  readonly reproduces: number | null;
  /** The body of the request, without a source if the rows are the account's. */
  readonly body: Readonly<Record<string, unknown>>;
}

type Draft = Partial<PlannedForecast> & Pick<PlannedForecast, 'at' | 'series' | 'kind'>;
type Recipe = (random: Random) => Draft;

const SESSIONS_BEFORE_SPLIT = listSessions('2025-06-02', '2025-06-09');
const FIRST_DAY = dayAt('2025-01-06');
const LAST_DAY = dayAt('2025-12-30');

const chooseFrom = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;
const anytime = (random: Random): number =>
  FIRST_DAY + Math.floor((random() * (LAST_DAY - FIRST_DAY)) / 60_000) * 60_000;
/** Returns an instant from `days` to one day before a date. */
const before = (random: Random, date: string, days: number): number =>
  dayAt(date) - DAY - Math.floor(random() * (days - 1) * 24 * 60) * 60_000;
const stock = (symbol: string, more: object = {}) => ({ type: 'market', symbol, timeframe: '1D', ...more });
const economic = (seriesId: string) => ({ type: 'economic_series', provider: 'fred', series_id: seriesId });

/** Each recipe makes forecasts that meet one event of the market, or that have one kind of settings. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'before a split': (random) => ({
    // In the hours before the last close of the input is corrected.
    at: closeOf(chooseFrom(random, SESSIONS_BEFORE_SPLIT)) + Math.ceil(random() * 12 * 60) * 60_000,
    series: 'ACME',
    kind: 'session',
    body: { source: stock('ACME'), horizon: 10 },
  }),
  'raw prices before a split': (random) => ({
    at: before(random, SPLIT_DATE, 8),
    series: 'ACME',
    kind: 'session',
    adjustment: 'raw',
    body: { source: stock('ACME', { adjustment: 'raw', provider: 'alpaca' }), horizon: 8 },
  }),
  'before a dividend': (random) => ({
    at: before(random, chooseFrom(random, DIVIDEND_DATES), 8),
    series: 'BOLT',
    kind: 'session',
    adjustment: 'all',
    body: { source: stock('BOLT', { adjustment: 'all' }), horizon: 7 },
  }),
  'before a delisting': (random) => ({
    at: before(random, DELISTING_DATE, 9),
    series: 'OLDF',
    kind: 'session',
    body: { source: stock('OLDF', { provider: 'alpaca' }), horizon: 12 },
  }),
  'around a halt': (random) => ({
    at: before(random, chooseFrom(random, HALTED_DATES), 8),
    series: 'HALT',
    kind: 'session',
    body: { source: stock('HALT'), horizon: 8 },
  }),
  'corrected closes': (random) => ({
    at: anytime(random),
    series: 'CORR',
    kind: 'session',
    body: { source: stock('CORR'), horizon: 15 },
  }),
  'settled closes': (random) => ({
    at: anytime(random),
    series: 'CORR',
    kind: 'session',
    settleDays: 3,
    body: { source: stock('CORR'), horizon: 6 },
  }),
  'a cutoff a few days ago': (random) => ({
    at: anytime(random),
    series: 'CORR',
    kind: 'session',
    body: { source: stock('CORR'), horizon: 10, cutoff: 5 + Math.floor(random() * 5) },
  }),
  'a cutoff long ago': (random) => {
    const at = anytime(random);
    const cutoff = new Date(at - 40 * DAY).toISOString();
    return { at, series: 'INDX', kind: 'session', body: { source: stock('INDX'), horizon: 5, cutoff } };
  },
  'weeks of a stock': (random) => ({
    at: anytime(random),
    series: 'INDX weeks',
    kind: 'session-week',
    body: { source: { type: 'market', symbol: 'INDX', timeframe: '1Week' }, horizon: 4, limit: 20 },
  }),
  'days of a pair': (random) => ({
    // Half of them cover Christmas, when the pair does not trade.
    at: random() < 0.5 ? anytime(random) : before(random, '2025-12-25', 6),
    series: 'EURUSD',
    kind: 'pair-day',
    body: { source: stock('EURUSD'), horizon: 9 },
  }),
  'hours of a pair': (random) => ({
    at: Math.max(anytime(random), dayAt('2025-01-20')),
    series: 'EURUSD hours',
    kind: 'hour',
    body: { source: { type: 'market', symbol: 'EURUSD', timeframe: '1h' }, horizon: 24, limit: 60 },
  }),
  'months as published': (random) => ({
    // Half of them are made an hour after a month was published.
    at: random() < 0.5 ? anytime(random) : Date.UTC(2025, Math.floor(random() * 12), 14, 13, 30),
    series: 'PRICES',
    kind: 'month',
    isLive: true,
    body: { source: economic('PRICES'), horizon: 3 },
  }),
  'months as known at a cutoff': (random) => {
    const at = anytime(random);
    const cutoff = new Date(at - 80 * DAY).toISOString();
    const body = { source: economic('PRICES'), horizon: 5, cutoff, as_known_at_cutoff: true };
    return { at, series: 'PRICES', kind: 'month', body };
  },
  'revised weeks': (random) => ({
    at: anytime(random),
    series: 'CLAIMS',
    kind: 'week',
    isLive: true,
    settleDays: random() < 0.5 ? 14 : 0,
    body: { source: economic('CLAIMS'), horizon: 5 },
  }),
  'published days with a cutoff': (random) => ({
    at: anytime(random),
    series: 'RATE',
    kind: 'day',
    body: { source: economic('RATE'), horizon: 10, cutoff: 4 },
  }),
  'published days': (random) => ({
    at: anytime(random),
    series: 'RATE',
    kind: 'day',
    isLive: true,
    body: { source: economic('RATE'), horizon: 8 },
  }),
  'inline rows': (random) => ({
    at: anytime(random),
    series: 'OWN',
    kind: 'day',
    arrival: 'reported',
    own: 'inline',
    body: { horizon: 6 },
  }),
  'a workspace file': (random) => ({
    at: anytime(random),
    series: 'OWN',
    kind: 'day',
    arrival: 'reported',
    own: 'csv',
    settleDays: 1,
    body: { horizon: 7 },
  }),
};

const MODELS = [['seasonal_naive'], ['theta', 'seasonal_naive'], ['theta'], ['seasonal_naive', 'ets']];
const LEVELS = [
  undefined,
  [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
  [0.05, 0.25, 0.5, 0.75, 0.95],
  // These do not reach the outer deciles, and the last have no median.
  [0.25, 0.5, 0.75],
  [0.2, 0.8],
];

/** Returns the forecasts of a year in the order in which they are made. The same seed gives the same plan. */
export function planForecasts(count: number, seed: number): PlannedForecast[] {
  const random = createSeededRandom(seed);
  const names = Object.keys(RECIPES);
  const planned: PlannedForecast[] = [];
  for (let number = 0; number < count; number++) {
    const name = names[number % (names.length + 1)];
    const forecast = name === undefined ? planCopy(planned, number, random) : planOriginal(name, number, random);
    planned.push(forecast);
  }
  return planned.sort((a, b) => a.at - b.at);
}

function planOriginal(recipe: string, number: number, random: Random): PlannedForecast {
  const draft = (RECIPES[recipe] as Recipe)(random);
  const { settleDays = 0, own = null } = draft;
  const models = chooseFrom(random, MODELS);
  const quantiles = chooseFrom(random, LEVELS);
  const isManual = random() < 0.7;
  return {
    adjustment: 'split',
    isLive: false,
    arrival: 'collected',
    reproduces: null,
    ...draft,
    number,
    recipe,
    own,
    settleDays,
    owner: random() < 0.7 ? 0 : 1,
    at: avoidOutages(draft.at),
    body: {
      limit: 30,
      ...draft.body,
      models,
      ...(quantiles && { quantiles }),
      ...(isManual && { weight_mode: 'manual', weights: Object.fromEntries(models.map((model) => [model, 1])) }),
      ...((settleDays > 0 || random() < 0.3) && { settle_days: settleDays }),
      visibility: random() < 0.3 ? 'public' : 'private',
      title: `${recipe} ${number}`,
    },
  };
}

/** Plans to reproduce one of the last forecasts of stocks while its outcome arrives. */
function planCopy(planned: readonly PlannedForecast[], number: number, random: Random): PlannedForecast {
  const originals = planned.slice(-19).filter(({ kind, body }) => kind === 'session' && body.cutoff === undefined);
  const original = chooseFrom(random, originals);
  const at = avoidOutages(original.at + DAY + Math.floor(random() * 6 * 24) * HOUR);
  return {
    ...original,
    number,
    recipe: `reproduced: ${original.recipe}`,
    at,
    isLive: false,
    reproduces: original.number,
  };
}

/** Returns the same time of the first day on which the providers answer and no price is rescaled. */
function avoidOutages(at: number): number {
  const rescaled = [SPLIT_DATE, ...DIVIDEND_DATES].map(dayAt);
  let moved = at;
  while (
    isOut('stocks', moved) ||
    isOut('economy', moved) ||
    rescaled.some((day) => moved >= day && moved < day + DAY)
  ) {
    moved += DAY;
  }
  return moved;
}

/** Returns the rows that an account sends with a forecast: all that are over, or without those of the last four days. */
export function ownRows({ rowsOf }: Market, { at, number }: PlannedForecast) {
  const until = number % 2 === 0 ? at : at - 4 * DAY;
  return valuesAt(rowsOf('OWN'), until)
    .filter(({ timestamp }) => endOf('day', timestamp) <= until)
    .slice(-40);
}
