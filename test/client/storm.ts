import type { AddressInfo } from 'node:net';
import { Almanac } from '../../client/src/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { startFaultyProxy } from '../support/api/faulty-proxy.ts';
import { dailyPoints, type ForecastService } from '../support/forecasts/forecast-service.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';

/** Fewer than the slots of an account. */
const AT_A_TIME = 4;
/** The credits of an account are enough for more. */
const RUNS_PER_ACCOUNT = 50;
/** The share of requests that the proxy disturbs. */
const DISTURBED = 0.3;

export interface StormResult {
  /** What is wrong, such as a forecast that was created twice. */
  readonly problems: readonly string[];
  readonly applied: Readonly<Record<string, number>>;
}

export interface StormOptions {
  readonly runs: number;
  readonly seed: number;
  /** Whether the service has a worker, so that each forecast is followed to its result. Otherwise each is canceled. */
  readonly hasWorker: boolean;
}

/** Creates forecasts through a proxy that drops, delays, truncates and repeats requests and replies. */
export async function runClientStorm(
  service: ForecastService,
  { runs, seed, hasWorker }: StormOptions,
): Promise<StormResult> {
  const { port } = service.app.server.address() as AddressInfo;
  await using proxy = await startFaultyProxy(port, createSeededRandom(seed), DISTURBED);
  const source = { type: 'inline' as const, points: dailyPoints(12) };
  const problems: string[] = [];
  const ids = new Map<string, string>();

  const runOne = async (almanac: Almanac, title: string) => {
    const request = { source, horizon: 1, models: ['seasonal_naive'], title };
    const { forecast_id: id } = await (hasWorker ? almanac.forecasts.run(request) : almanac.forecasts.create(request));
    ids.set(title, id);
    if (!hasWorker) await almanac.forecasts.cancel({ forecast_id: id });
  };
  for (let first = 0; first < runs; first += RUNS_PER_ACCOUNT) {
    const { credentials } = await service.account('enterprise');
    const key = String(credentials.authorization).replace('Bearer ', '');
    const almanac = new Almanac({ url: proxy.url, key, timeoutMs: 500, maxRetries: 30, retryDelayMs: 5 });
    const titles = Array.from({ length: Math.min(RUNS_PER_ACCOUNT, runs - first) }, (_, i) => `run ${first + i}`);
    const next = titles.values();
    const work = async () => {
      for (const title of next) {
        await runOne(almanac, title).catch((error) => problems.push(`${title} failed: ${error}`));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
  }

  const stored = await service.database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'title'])
    .where('title', 'like', 'run %')
    .execute();
  for (const { id, title } of stored) {
    if (ids.get(title ?? '') !== id) problems.push(`${title} was created a second time as ${id}`);
  }
  if (stored.length < runs) problems.push(`${stored.length} of ${runs} forecasts are stored`);
  return { problems, applied: proxy.applied };
}
