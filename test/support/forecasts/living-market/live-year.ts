import { type MovableClock, movableClock } from '../../identity/identity.ts';
import type { DatabaseKind } from '../../platform/database.ts';
import { createSeededRandom } from '../../platform/seeded-random.ts';
import { FORECASTS } from '../forecast-service.ts';
import { createMarket, type Market } from './market.ts';
import { ownRows, type PlannedForecast, planForecasts } from './plan.ts';
import { createReporter, type Reporter } from './reports.ts';
import { DAY, dayAt, HOUR } from './second-calendar.ts';
import { type Forecaster, type MarketYearService, openMarketYear } from './service.ts';
import { createWatch, type Watch } from './watch-outcomes.ts';

/** A forecast that was made. */
export interface MadeForecast {
  readonly planned: PlannedForecast;
  readonly id: string;
  readonly forecaster: Forecaster;
}

/** What is left of the year: the service at its end, and what was seen meanwhile. */
export interface LivedYear {
  readonly market: Market;
  readonly forecasters: readonly Forecaster[];
  readonly made: readonly MadeForecast[];
  /** What the service did wrong while the year passed. */
  readonly violations: readonly string[];
}

export interface YearOptions {
  readonly kind: DatabaseKind;
  readonly forecasts: number;
  readonly seed: number;
  /** Days between two collections of outcomes. Default: 1. */
  readonly everyDays?: number;
}

const START = '2025-01-05T12:00:00Z';
/** So late that all outcomes are complete, also those of the delisted stock. */
const END = dayAt('2026-05-20');

/** Lives through the year, and gives what is left of it to `check` before the service closes. */
export async function liveYear<Result>(
  { kind, forecasts, seed, everyDays = 1 }: YearOptions,
  check: (year: LivedYear) => Promise<Result>,
): Promise<Result> {
  const market = createMarket(seed);
  const clock = movableClock(START);
  await using service = await openMarketYear(kind, market, clock);
  const forecasters = [await service.forecaster(), await service.forecaster()];
  const plan = planForecasts(forecasts, seed);
  const random = createSeededRandom(seed + 1);
  const made = new Map<number, MadeForecast>();
  const reporters: Reporter[] = [];
  const watch = createWatch(random);

  async function makeForecasts(until: number): Promise<void> {
    while (plan[0] !== undefined && plan[0].at <= until) {
      const planned = plan.shift() as PlannedForecast;
      const forecaster = forecasters[planned.owner] as Forecaster;
      if (planned.isLive) await readEarlier(clock, forecaster, planned);
      moveTo(clock, planned.at);
      const id = await makeForecast(market, service, forecaster, planned, made);
      const forecast = { planned, id, forecaster };
      made.set(planned.number, forecast);
      if (planned.arrival === 'collected') continue;
      const { data } = await forecaster.request<{ predictions: { timestamp: string }[] }>('GET', `${FORECASTS}/${id}`);
      const timestamps = data.predictions.map(({ timestamp }) => timestamp);
      reporters.push(createReporter(market, { ...forecast, timestamps }, random));
    }
  }

  for (let day = dayAt(START.slice(0, 10)) + DAY; day < END; day += everyDays * DAY) {
    const checkAt = day + Math.floor(random() * 24 * 60) * 60_000;
    await makeForecasts(checkAt);
    moveTo(clock, checkAt);
    await collect(service, watch, random() < 0.1);
    for (const reporter of reporters) watch.violations.push(...(await reporter.report(checkAt)));
    await watch.look([...made.values()], checkAt);
  }
  return await check({ market, forecasters, made: [...made.values()], violations: watch.violations });
}

/** Collects outcomes: once, or at the same time in two workers. Either way a second run has nothing left to check. */
async function collect(service: MarketYearService, watch: Watch, isDoubled: boolean): Promise<void> {
  if (!isDoubled) return void (await service.collectOutcomes());
  await Promise.all([service.collectOutcomes(), service.collectOutcomes()]);
  const left = await service.collectOutcomes();
  if (left > 0) watch.violations.push(`${left} outcomes were due immediately after they were checked`);
}

function moveTo(clock: MovableClock, instant: number): void {
  clock.advance(Math.max(0, instant - clock.now().getTime()));
}

/** Reads the rows of a published series two hours before a forecast, as callers do with series that many use. */
async function readEarlier(clock: MovableClock, { request }: Forecaster, { at, body }: PlannedForecast): Promise<void> {
  moveTo(clock, at - 2 * HOUR);
  await request('POST', '/v1/market-search/observations', { source: body.source });
}

/** Makes a planned forecast over HTTP and runs it. Returns its id. */
async function makeForecast(
  market: Market,
  service: MarketYearService,
  forecaster: Forecaster,
  planned: PlannedForecast,
  made: ReadonlyMap<number, MadeForecast>,
): Promise<string> {
  const original = planned.reproduces === null ? null : made.get(planned.reproduces);
  const path = original ? `${FORECASTS}/${original.id}/reproduce` : FORECASTS;
  const body = original ? undefined : { ...planned.body, ...(await ownSource(market, forecaster, planned)) };
  const reply = await forecaster.request<{ forecast_id: string }>('POST', path, body);
  if (reply.status !== 202) throw new Error(`${planned.recipe} was answered ${reply.status}: ${reply.body}`);
  await service.run(reply.data.forecast_id);
  return reply.data.forecast_id;
}

/** Returns the source of a forecast of the account's own rows: inline rows, or a file that is uploaded first. */
async function ownSource(market: Market, forecaster: Forecaster, planned: PlannedForecast): Promise<object> {
  if (planned.own === null) return {};
  const rows = ownRows(market, planned).map(({ timestamp, value }) => ({
    timestamp: new Date(timestamp).toISOString(),
    value,
  }));
  if (planned.own === 'inline') return { source: { type: 'inline', points: rows } };
  const text = ['date,value', ...rows.map(({ timestamp, value }) => `${timestamp.slice(0, 10)},${value}`)].join('\n');
  const path = `/v1/workspaces/${forecaster.workspaceId}/csv?name=own-${planned.number}.csv`;
  const { status, data, body } = await forecaster.request<{ id: string }>('POST', path, `${text}\n`);
  if (status !== 201) throw new Error(`the file was answered ${status}: ${body}`);
  const reference = { workspace_id: forecaster.workspaceId, csv_id: data.id, time_field: 'date', value_field: 'value' };
  return { source: { type: 'workspace_csv', ...reference } };
}
