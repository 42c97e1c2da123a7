import { createHash } from 'node:crypto';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { checkpointFolders, type Engine, startEngine } from '../../src/compute/index.ts';
import { canonicalJson, ForecastRequestBody } from '../../src/contract/index.ts';
import type { ForecastResult } from '../../src/engine/index.ts';
import { createForecast, runForecast } from '../../src/forecasts/index.ts';
import type { ForecastTables } from '../../src/forecasts/tables.ts';
import { loadConfig } from '../../src/platform/index.ts';
import { activateJob } from '../../test/support/forecasts/run-attempt.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { median } from '../api/statistics.ts';
import { log, makeCaller, openForecastContext } from '../jobs/queue-forecasts.ts';
import { smallRequest } from '../jobs/small-request.ts';

export interface CompletionCpu {
  /** The CPU milliseconds of an attempt without its fits, if the proof is not stamped. */
  readonly unstamped: number;
  /** The same if the proof is handed over to be stamped. */
  readonly stamped: number;
  /** The CPU milliseconds to hash the document of the proof. */
  readonly sha256: number;
  readonly sha3: number;
  readonly documentBytes: number;
}

const ROUNDS = 40;
const PER_ROUND = 10;
const ROWS = 500;

/**
 * Completes the default forecast of 500 rows again and again, with an engine that returns a result computed before. Proofs
 * are stamped in every other round, so that both kinds run under the same conditions.
 */
export async function measureCompletion(): Promise<CompletionCpu> {
  await using fixture = await openTestDatabase('pglite', { migrations: MIGRATIONS, queue: true });
  const { database } = fixture;
  const context = await openForecastContext(database, { supervise: false });
  fixture.cleanup(() => context.queue.stop());
  const caller = await makeCaller(database);
  const body = ForecastRequestBody.parse(defaultRequest());
  const create = () => createForecast(context, caller, body, { idempotencyKey: null, network: null });
  const result = await computeOnce(await create(), context);
  const engine: Engine = { models: [], forecast: async () => result, isOpen: () => true, close: async () => {} };
  const times = { stamped: [] as number[], unstamped: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const isConfigured = round % 2 === 1;
    const ids: string[] = [];
    for (let i = 0; i < PER_ROUND; i += 1) ids.push(await create());
    const stamps = { isConfigured, selection: 'accounts' as const };
    const milliseconds = await cpuOf(async () => {
      for (const id of ids) await run(id, { ...context, engine, stamps });
    });
    // The first rounds warm up.
    if (round >= 4) times[isConfigured ? 'stamped' : 'unstamped'].push(milliseconds / PER_ROUND);
  }
  const text = canonicalJson(result);
  return {
    unstamped: median(times.unstamped),
    stamped: median(times.stamped),
    sha256: await hashCpu('sha256', text),
    sha3: await hashCpu('sha3-256', text),
    documentBytes: Buffer.byteLength(text),
  };

  async function computeOnce(id: string, parts: typeof context): Promise<ForecastResult> {
    const real = await startEngine({ checkpoints: checkpointFolders(loadConfig({}).dataFolder) });
    try {
      await run(id, { ...parts, engine: real, stamps: { isConfigured: false, selection: 'accounts' } });
    } finally {
      await real.close();
    }
    const { result: stored } = await database
      .query<ForecastTables>()
      .selectFrom('forecast')
      .select('result')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (stored === null) throw new Error('The first forecast did not complete.');
    return stored;
  }
}

function defaultRequest(): object {
  const { models: _, ...request } = smallRequest(1, { rows: ROWS });
  return request;
}

type RunParts = Parameters<typeof runForecast>[0];

async function run(id: string, parts: Omit<RunParts, 'log' | 'limitMs'>): Promise<void> {
  const { signal } = new AbortController();
  await activateJob(parts.database, id);
  await runForecast({ ...parts, log, limitMs: 600_000 }, { id, attempt: 0, data: { forecast_id: id }, signal });
}

const HASHES = 200;

async function hashCpu(algorithm: string, text: string): Promise<number> {
  const all = await cpuOf(async () => {
    for (let i = 0; i < HASHES; i += 1) createHash(algorithm).update(text).digest();
  });
  return all / HASHES;
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
