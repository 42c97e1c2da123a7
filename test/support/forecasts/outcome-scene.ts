import { type Account, ALL_LICENSES, type Guest, type Licenses } from '../../../src/access/index.ts';
import { DAY_MS, sessionsBetween } from '../../../src/calendar/index.ts';
import { createIdentityContext, MIGRATIONS, openData, QUEUES } from '../../../src/compose/index.ts';
import { ForecastRequestBody, type SeriesDescription } from '../../../src/contract/index.ts';
import { createInlineRunner, createModels, forecast } from '../../../src/engine/index.ts';
import {
  checkDueOutcomes,
  createForecast,
  type ForecastContext,
  type Outcome,
  openForecastKeys,
  readOutcome,
  runForecast,
} from '../../../src/forecasts/index.ts';
import type { ForecastTables } from '../../../src/forecasts/tables.ts';
import type { RawBar } from '../../../src/market/index.ts';
import { createLog, type Database, openQueue, readSigningKeys, systemClock } from '../../../src/platform/index.ts';
import type { SourceRegistry } from '../../../src/snapshots/index.ts';
import { tinyCheckpoints } from '../compute/tiny-checkpoints.ts';
import { makeAccount } from '../identity/callers.ts';
import { type MovableClock, movableClock } from '../identity/identity.ts';
import { memoryProvider } from '../market/memory-provider.ts';
import { forEachDatabase, type TestDatabase } from '../platform/database.ts';
import { loadTestConfig } from '../platform/test-config.ts';
import { NO_STAMPS } from '../scout/events.ts';
import { principalOf } from '../workspaces/workspaces.ts';
import { activateJob, fakeEngine } from './run-attempt.ts';

/** Forecasts of one stock, with a clock that the test moves and bars that it changes. */
export interface OutcomeScene {
  readonly context: ForecastContext & { readonly clock: MovableClock };
  readonly owner: Account;
  /** The bars of the stock KNOWN. */
  readonly bars: RawBar[];
  /** The error with which the provider fails, if any. */
  failure: Error | null;
  /** How many requests the provider got. */
  requests: number;
  /** Makes a forecast of the stock and completes it. Returns its id. */
  make(fields?: object, caller?: Account | Guest): Promise<string>;
  /** Runs the check of the due outcomes. Returns how many were checked. */
  check(changes?: { readonly sources?: SourceRegistry; readonly database?: Database }): Promise<number>;
  read(id: string): Promise<Outcome>;
  moveTo(instant: string): void;
}

/** Wednesday, an hour after the close of the New York session. */
export const START = '2026-03-04T22:00:00.000Z';

export const STOCK = { type: 'market', symbol: 'KNOWN', timeframe: '1D', provider: 'alpaca' } as const;

/** When the five sessions after the start are over. New York changes its clocks in between. */
export const SESSIONS = [
  '2026-03-05T21:00:00.000Z',
  '2026-03-06T21:00:00.000Z',
  '2026-03-09T20:00:00.000Z',
  '2026-03-10T20:00:00.000Z',
  '2026-03-11T20:00:00.000Z',
];

/** Returns one bar for each session between two dates, with prices that depend on the date only. */
export function makeBars(from: string, to: string): RawBar[] {
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  return Array.from(sessionsBetween(day(from), day(to)), (timestamp) => {
    const days = timestamp / DAY_MS - 20_000;
    const close = Math.round((100 + days / 10 + 3 * Math.sin(days)) * 100) / 100;
    return { timestamp, open: close, high: close + 1, low: close - 1, close, volume: 1_000 };
  });
}

/** The models that need no runtime and are fast. */
const runner = createInlineRunner(createModels({}));

export async function openOutcomeScene(
  { database, cleanup }: TestDatabase,
  { licenses = ALL_LICENSES, start = START }: { readonly licenses?: Licenses; readonly start?: string } = {},
): Promise<OutcomeScene> {
  const clock = movableClock(start);
  const log = createLog('silent');
  const { id, email } = await makeAccount(createIdentityContext({ database, clock: systemClock }), { password: null });
  const bars: RawBar[] = [];
  const provider = {
    ...memoryProvider({
      rows: bars,
      onRequest: () => {
        scene.requests++;
      },
      fails: () => scene.failure,
    }),
    describe: async () => DESCRIPTION,
  };
  const { sources } = openData({ database, clock, log, providers: [provider], adapters: [], licenses });
  const queue = await openQueue(database, { queues: QUEUES, supervise: false });
  cleanup(() => queue.stop({ timeoutMs: 1_000 }));
  const config = loadTestConfig({ NODE_ENV: 'test' });
  const context = {
    database,
    clock,
    sources,
    queue,
    checkpoints: tinyCheckpoints(),
    licenses,
    storage: config.storage,
    stamps: NO_STAMPS,
    cursorKey: () => readSigningKeys(database, 'cursors'),
    unpaidCpuSeconds: config.unpaidCpuSeconds,
    load: { admitForecast: async () => {}, admitUpload: () => {} },
    ...openForecastKeys(database),
  };
  const owner = { ...principalOf({ id, email }), plan: 'enterprise' } as const;
  const engine = fakeEngine((request, options) => forecast(request, { runner, ...options }));
  const scene: OutcomeScene = {
    context,
    owner,
    bars,
    failure: null,
    requests: 0,
    async make(fields = {}, caller = owner) {
      const body = { source: STOCK, horizon: 5, weight_mode: 'manual', weights: { seasonal_naive: 1 }, ...fields };
      const forecastId = await createForecast(context, caller, ForecastRequestBody.parse(body), {
        idempotencyKey: null,
        network: null,
      });
      const { job_id } = await activateJob(database, forecastId);
      const { signal } = new AbortController();
      const job = { id: job_id, attempt: 0, data: { forecast_id: forecastId }, signal };
      await runForecast({ ...context, engine, log, limitMs: 60_000 }, job);
      return forecastId;
    },
    check: (changes = {}) => checkDueOutcomes({ ...context, ...changes }, { log }),
    async read(forecastId) {
      const outcome = await readOutcome(database, forecastId);
      if (outcome === null) throw new Error(`The forecast ${forecastId} has no outcome.`);
      return outcome;
    },
    moveTo: (instant) => clock.advance(Date.parse(instant) - clock.now().getTime()),
  };
  return scene;
}

/** Runs a test on the tested database. */
export function onOutcomes(name: string, body: (scene: OutcomeScene) => Promise<void>): void {
  forEachDatabase(name, { migrations: MIGRATIONS, queue: true }, async (fixture) =>
    body(await openOutcomeScene(fixture)),
  );
}

/** Returns the result of a forecast. */
export async function readResult({ context: { database } }: OutcomeScene, id: string) {
  const { result } = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select('result')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (result === null) throw new Error(`The forecast ${id} has no result.`);
  return result;
}

const DESCRIPTION: SeriesDescription = {
  provider: 'alpaca',
  title: 'Known shares',
  frequency: '1D',
  time_field: 'timestamp',
  values: [{ field: 'close', label: 'Closing price', units: 'USD' }],
  dimensions: [],
  units: 'USD',
  span: { start: '2026-01-02T00:00:00.000Z', end: '2026-02-27T00:00:00.000Z' },
  rows: 40,
  reporting_period: 'session',
  vintage: 'revised',
  publisher: 'A test',
  license: { name: 'None', url: null },
  notes: null,
};
