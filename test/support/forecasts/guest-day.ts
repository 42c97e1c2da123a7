import { sql } from 'kysely';
import type { Account, Guest } from '../../../src/access/index.ts';
import { createFoundation, runCleanup } from '../../../src/compose/index.ts';
import { ForecastRequestBody } from '../../../src/contract/index.ts';
import { cancelForecast, createForecast, type ForecastContext } from '../../../src/forecasts/index.ts';
import { createGuest } from '../../../src/identity/index.ts';
import { type Config, createLog } from '../../../src/platform/index.ts';
import type { StorageLimits } from '../../../src/snapshots/index.ts';
import { DAY, type MovableClock, movableClock } from '../identity/identity.ts';
import { createSeededRandom } from '../platform/seeded-random.ts';
import { loadTestConfig } from '../platform/test-config.ts';
import type { ForecastService } from './forecast-service.ts';

/** The operations of a service at the time of a clock that the test advances. */
export interface SimulatedTime {
  readonly clock: MovableClock;
  readonly context: ForecastContext;
  newGuest(): Promise<Guest>;
  /** Creates a forecast of random rows. Returns its id. */
  create(principal: Account | Guest, options?: CreateOptions): Promise<string>;
  cancel(principal: Account | Guest, id: string): Promise<void>;
  /** Lets quiet days pass, in which only housekeeping runs. */
  passDays(days: number): Promise<void>;
}

export interface CreateOptions {
  readonly rows?: number;
  readonly workspaceId?: string;
  readonly network?: string;
  readonly idempotencyKey?: string;
}

export interface SimulationOptions {
  readonly storage?: Partial<StorageLimits>;
  readonly retention?: Partial<Config['retention']>;
  readonly seed?: number;
}

export function simulateTime(
  service: ForecastService,
  { storage, retention, seed = 1 }: SimulationOptions = {},
): SimulatedTime {
  const { database } = service;
  const clock = movableClock(new Date().toISOString());
  const defaults = loadTestConfig();
  const config = { ...defaults, retention: { ...defaults.retention, ...retention } };
  const context = { ...service.forecasts, clock, storage: { ...defaults.storage, ...storage } };
  const foundation = createFoundation({ config, log: createLog('silent'), database, clock });
  const random = createSeededRandom(seed);
  const points = (rows: number) =>
    Array.from({ length: rows }, (_, i) => ({
      timestamp: new Date(Date.UTC(2000, 0, 1) + i * 3_600_000).toISOString(),
      value: random(),
    }));
  return {
    clock,
    context,
    newGuest: async () => ({ kind: 'guest', guestId: (await createGuest(foundation.identity)).guestId }),
    async create(principal, { rows = 1_000, workspaceId, network, idempotencyKey } = {}) {
      const body = ForecastRequestBody.parse({
        source: { type: 'inline', points: points(rows) },
        horizon: 1,
        models: ['seasonal_naive'],
        ...(workspaceId && { workspace_id: workspaceId }),
      });
      const options = { idempotencyKey: idempotencyKey ?? null, network: network ?? null };
      return createForecast(context, principal, body, options);
    },
    async cancel(principal, id) {
      await cancelForecast(context, principal, id);
    },
    async passDays(days) {
      for (let day = 0; day < days; day++) {
        clock.advance(DAY);
        await runCleanup(foundation, service.queue);
      }
    },
  };
}

/** Counts the rows of every table, except those whose rows do not depend on what callers store. */
export async function countAllRows({ database }: Pick<ForecastService, 'database'>): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname = 'queue' OR schemaname = current_schema() ORDER BY 1`.execute(database.query());
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${sql.raw(name)}`.execute(
      database.query(),
    );
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}
