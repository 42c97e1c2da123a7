import { FORECASTS } from '../forecast-service.ts';
import type { LivedYear, MadeForecast } from './live-year.ts';
import type { Market } from './market.ts';
import type { PlannedForecast } from './plan.ts';
import type { PublishedRow } from './published-series.ts';
import { DAY, dayAt, endOf, HOUR, knownFrom } from './second-calendar.ts';
import { type CsvRow, isNear, quantilesOf, readCsv, scoreSecond } from './second-scores.ts';
import type { Outcome } from './watch-outcomes.ts';

/** The outcome of a forecast at the end of the year. */
export interface FinalOutcome {
  readonly forecast: MadeForecast;
  readonly outcome: Outcome;
  /** The recorded rows, from the CSV file. */
  readonly rows: readonly CsvRow[];
  /** How many of them are scored. */
  readonly scored: number;
}

/** What stands before the level in the headings of the forecast's quantiles and of the seasonal naive one's. */
const OWN_QUANTILE = '';
const BASELINE_QUANTILE = 'baseline_';

interface ForecastReply {
  readonly predictions: readonly { readonly timestamp: string; readonly quantiles: Readonly<Record<string, number>> }[];
}

/** Reads every outcome and its CSV file, and compares them with what happened in the market. Adds what is wrong. */
export async function checkOutcomes(year: LivedYear, violations: string[]): Promise<FinalOutcome[]> {
  const madeAt = new Map(year.made.map(({ planned }) => [planned.number, planned.at]));
  const finals: FinalOutcome[] = [];
  for (const made of year.made) {
    const { id, planned, forecaster } = made;
    const path = `${FORECASTS}/${id}`;
    const { data: forecast } = await forecaster.request<ForecastReply>('GET', path);
    const { data: outcome } = await forecaster.request<Outcome>('GET', `${path}/outcome`);
    const rows = readCsv(await forecaster.readText(`${path}/outcome?format=csv`));
    const complain = (what: string) => violations.push(`${planned.recipe} ${id}: ${what}`);
    checkFile(forecast, outcome, rows, complain);
    const unitsAt = madeAt.get(planned.reproduces ?? planned.number) ?? planned.at;
    for (const row of rows) checkRow(year.market, planned, unitsAt, row, complain);
    checkCompleteness(year.market, planned, forecast, outcome, rows, complain);
    checkScores(outcome, rows, complain);
    const scored = rows.filter(({ replayed }) => replayed !== 'true').length;
    finals.push({ forecast: made, outcome, rows, scored });
  }
  return finals;
}

type Complain = (what: string) => void;

/** Checks that the file has the rows of the reply, each step once, with the quantiles of the forecast. */
function checkFile(
  { predictions }: ForecastReply,
  outcome: Outcome,
  rows: readonly CsvRow[],
  complain: Complain,
): void {
  if (new Set(rows.map(({ step }) => step)).size !== rows.length) complain('a step is recorded twice');
  if (rows.length !== outcome.rows.length) complain(`${rows.length} lines for ${outcome.rows.length} rows`);
  for (const [i, row] of rows.entries()) {
    const shown = outcome.rows[i];
    const predicted = predictions[Number(row.step) - 1];
    const isSame =
      Number(row.step) === shown?.step &&
      Date.parse(row.timestamp ?? '') === Date.parse(shown.timestamp) &&
      Number(row.actual) === shown.actual &&
      (row.replayed === 'true') === (shown.replayed === true) &&
      Date.parse(shown.timestamp) === Date.parse(predicted?.timestamp ?? '');
    if (!isSame) complain(`step ${row.step} differs between the file and the reply`);
    const levels = Object.entries(predicted?.quantiles ?? {});
    const own = new Map(quantilesOf(row, OWN_QUANTILE));
    const hasQuantiles =
      own.size === levels.length && levels.every(([level, value]) => own.get(Number(level)) === value);
    if (!hasQuantiles) complain(`step ${row.step} has other quantiles than the forecast`);
  }
}

/** Checks one recorded row: its value, that it is not early, and that it was not already there if it is scored. */
function checkRow(market: Market, planned: PlannedForecast, unitsAt: number, row: CsvRow, complain: Complain): void {
  const timestamp = Date.parse(row.timestamp ?? '');
  const recordedAt = Date.parse(row.recorded_at ?? '');
  const finalAt = endOf(planned.kind, timestamp) + planned.settleDays * DAY;
  if (!(recordedAt >= finalAt)) complain(`step ${row.step} was recorded at ${row.recorded_at}, before it was final`);
  const isReplayed = !planned.isLive && knownFrom(planned.kind, timestamp) <= planned.at;
  if (isReplayed !== (row.replayed === 'true')) complain(`step ${row.step} has replayed ${row.replayed}`);
  const published = market.rowsOf(planned.series).find((one) => one.timestamp === timestamp);
  if (published === undefined) {
    complain(`step ${row.step} has a value that was never published`);
    return;
  }
  const firstAt = published.versions[0]?.publishedAt ?? 0;
  if (row.replayed !== 'true' && firstAt <= planned.at) {
    complain(`step ${row.step} is scored although its row was there at ${new Date(firstAt).toISOString()}`);
  }
  const units = unitsOf(market, planned, unitsAt, timestamp);
  const expected = currentValues(published, recordedAt, STALE_MS[planned.kind] ?? 0).map((value) => value * units);
  if (!expected.some((value) => isNear(value, Number(row.actual), 1e-6))) {
    complain(`step ${row.step} has the value ${row.actual} and not ${expected.join(' or ')}`);
  }
}

/**
 * How long ago the service may have read a value. Replies about published series are kept for six hours; bars are read
 * again when the next one has ended, which takes up to four days.
 */
const STALE_MS: Partial<Record<PlannedForecast['kind'], number>> = {
  session: 4 * DAY,
  day: 6 * HOUR,
  week: 6 * HOUR,
  month: 6 * HOUR,
};

/** Returns the values that the source showed at some time between an instant and a while before it. */
function currentValues({ versions }: PublishedRow, instant: number, staleMs: number): number[] {
  return versions
    .filter(({ publishedAt }, i) => {
      const replacedAt = versions[i + 1]?.publishedAt ?? Number.POSITIVE_INFINITY;
      return publishedAt <= instant && replacedAt > instant - staleMs;
    })
    .map(({ value }) => value);
}

/** Returns the factor from a raw price to the units of a forecast: those of the adjusted prices when it was made. */
function unitsOf(
  { stocks }: Market,
  { series, adjustment }: PlannedForecast,
  madeAt: number,
  timestamp: number,
): number {
  if (!Object.hasOwn(stocks, series)) return 1;
  return stocks[series as keyof typeof stocks].rescalings
    .filter(({ cause }) => adjustment === 'all' || adjustment === cause)
    .reduce((units, { date, factor }) => {
      const isBeforeForecast = dayAt(date) <= madeAt;
      const isBeforeRow = dayAt(date) <= timestamp;
      if (isBeforeForecast === isBeforeRow) return units;
      return isBeforeForecast ? units * factor : units / factor;
    }, 1);
}

/** Checks that the outcome has ended and that no published row is left out, unless it came after a later one. */
function checkCompleteness(
  market: Market,
  planned: PlannedForecast,
  { predictions }: ForecastReply,
  { status }: Outcome,
  rows: readonly CsvRow[],
  complain: Complain,
): void {
  const expected = rows.length > 0 ? 'complete' : 'unavailable';
  if (status !== expected) complain(`the outcome is ${status} and not ${expected} with ${rows.length} rows`);
  const published = new Map(market.rowsOf(planned.series).map((row) => [row.timestamp, row]));
  predictions.forEach(({ timestamp }, i) => {
    const step = i + 1;
    if (rows.some((row) => Number(row.step) === step)) return;
    // Some accounts never learn the second value.
    if (planned.arrival === 'reported' && planned.number % 3 === 0 && step === 2) return;
    const row = published.get(Date.parse(timestamp));
    const publishedAt = row?.versions[0]?.publishedAt ?? Number.POSITIVE_INFINITY;
    const later = rows.filter((one) => Number(one.step) > step).map((one) => Date.parse(one.recorded_at ?? ''));
    if (publishedAt < Math.min(Number.MAX_VALUE, ...later) - DAY) complain(`step ${step} of ${timestamp} is left out`);
  });
}

/** Compares the scores with those of the second computation from the file. */
function checkScores(outcome: Outcome, rows: readonly CsvRow[], complain: Complain): void {
  const scored = rows.filter(({ replayed }) => replayed !== 'true');
  const toRows = (prefix: string) =>
    scored.map((row) => ({ actual: Number(row.actual), quantiles: quantilesOf(row, prefix) }));
  const { coverage, ...figures } = scoreSecond(toRows(OWN_QUANTILE), toRows(BASELINE_QUANTILE));
  for (const [name, figure] of Object.entries(figures)) {
    const shown = outcome[name as keyof typeof figures];
    if (!isNear(shown, figure)) complain(`${name} is ${shown} and not ${figure}`);
  }
  const shown = outcome.coverage ?? {};
  const isSame =
    Object.keys(shown).length === Object.keys(coverage).length &&
    Object.entries(coverage).every(([interval, share]) => isNear(shown[interval], share));
  if (!isSame) complain(`coverage is ${JSON.stringify(shown)} and not ${JSON.stringify(coverage)}`);
}
