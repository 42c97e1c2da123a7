import assert from 'node:assert/strict';
import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database, Executor, Transaction } from '../../../src/platform/index.ts';
import { createSeededRandom, type Random } from '../platform/seeded-random.ts';
import { createSetClock, handOver, MINUTE_MS, openVbaseStamper, readProofs, type SetClock } from './vbase-scene.ts';
import { startVbaseServer, type VbaseFailure, type VbaseServer } from './vbase-server.ts';

const FAILURES: readonly VbaseFailure[] = [
  { status: 400 },
  { status: 401 },
  { status: 402 },
  { status: 409 },
  { status: 429, headers: { 'retry-after': '20' } },
  { status: 500 },
  { status: 502, text: '<html>Bad gateway</html>' },
  'reset',
  'silent',
  'html',
  'accepted_late',
  'accepted_silent',
  'accepted_reset',
  'accepted_truncated',
  'accepted_500',
  'accepted_wrong_object',
  'accepted_wrong_set',
];
const SETTLE_MS = 5 * MINUTE_MS;
const MAX_LIVES = 6;
/** The times between rounds. */
const PAUSES_MS = [1_000, MINUTE_MS, 7 * MINUTE_MS, 90 * MINUTE_MS];

export interface StormOptions {
  readonly seed: number;
  readonly proofs?: number;
  /** Whether the service returns an earlier stamp for a repeated request. If not, only lookups prevent a second stamp. */
  readonly isIdempotent?: boolean;
}

/**
 * Stamps proofs while requests fail in every way and the stamper is killed again and again. Checks that the server has
 * one stamp of each proof in the end, and that the stored receipts are those of the server.
 *
 * @returns the number of times that the stamper was killed
 */
export async function runVbaseStorm(
  database: Database,
  { seed, proofs = 30, isIdempotent = true }: StormOptions,
): Promise<number> {
  const random = createSeededRandom(seed);
  const clock = createSetClock();
  await using server = await startVbaseServer(clock);
  server.indexDelayMs = Math.floor(random() * SETTLE_MS);
  server.isIdempotent = isIdempotent;
  const names = Array.from({ length: proofs }, (_, place) => `storm-${seed}-${place}`);
  const contentCids = await handOver(database, clock, names);
  let kills = 0;
  for (let life = 0; life < MAX_LIVES; life++) if (await live(database, clock, server, random)) kills++;
  server.fail = () => null;
  const stamper = openVbaseStamper(database, clock, server);
  for (let round = 0; round < 3; round++) {
    clock.advance(24 * 60 * MINUTE_MS);
    await stamper.runRound({ takesNew: true, signal: new AbortController().signal });
  }
  await checkStamps(database, server, contentCids);
  return kills;
}

/** Runs some rounds of a stamper that may be killed at any statement or request. Returns whether it was. */
async function live(database: Database, clock: SetClock, server: VbaseServer, random: Random): Promise<boolean> {
  const life = createLife(random() < 0.6 ? 1 + Math.floor(random() * 25) : Number.POSITIVE_INFINITY);
  const failureRate = random() * 0.5;
  server.fail = (request) => {
    if (random() < 0.02) life.end();
    if (random() > failureRate) return null;
    const failure = FAILURES[Math.floor(random() * FAILURES.length)] as VbaseFailure;
    const isAccepted = typeof failure === 'string' && failure.startsWith('accepted');
    return isAccepted && request !== 'POST /stamps' ? { status: 503 } : failure;
  };
  const stamper = openVbaseStamper(life.guard(database), clock, server, {
    requestMs: 40,
    settleMs: SETTLE_MS,
    maxProofs: 12,
  });
  for (let round = 0; round < 3; round++) {
    try {
      await stamper.runRound({ takesNew: random() < 0.8, signal: life.signal });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    await server.whenIdle();
    clock.advance(PAUSES_MS[Math.floor(random() * PAUSES_MS.length)] as number);
    if (life.signal.aborted) return true;
  }
  return false;
}

class Killed extends Error {}

/** The life of a process: after its end, no statement runs and no reply arrives. */
function createLife(lastStep: number) {
  const death = new AbortController();
  let steps = 0;
  const step = () => {
    if (++steps === lastStep) death.abort();
    if (death.signal.aborted) throw new Killed();
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      step();
      return node;
    },
    transformResult: async ({ result }) => {
      step();
      return result;
    },
  };
  const guarded = (executor: Executor) =>
    (<Tables>(): Kysely<Tables> => executor.query<Tables>().withPlugin(plugin)) as Executor['query'];
  return {
    signal: death.signal,
    end: () => death.abort(),
    guard: (database: Database): Database => ({
      ...database,
      query: guarded(database),
      transaction: async (work) => {
        step();
        const result = await database.transaction((tx) => work({ ...tx, query: guarded(tx) } satisfies Transaction));
        // The process may die after the commit.
        step();
        return result;
      },
    }),
  };
}

/** Checks that every proof has one stamp, whose receipt is stored. */
export async function checkStamps(
  database: Database,
  server: VbaseServer,
  contentCids: readonly string[],
): Promise<void> {
  const stamped = server.stamps.map(({ objectCid }) => objectCid).sort();
  assert.deepEqual(stamped, [...contentCids].sort(), 'one stamp of each proof');
  const rows = await readProofs(database, contentCids);
  const stored = rows.map(({ content_cid, set_cid, transaction_hash, stamped_at }) => [
    content_cid,
    set_cid,
    transaction_hash,
    stamped_at?.getTime(),
  ]);
  const expected = server.stamps.map(({ objectCid, setCid, transactionHash, at }) => [
    objectCid,
    setCid,
    transactionHash,
    at,
  ]);
  assert.deepEqual(stored.sort(), expected.sort());
  assert.deepEqual(new Set(rows.map(({ status, sent_at }) => `${status} ${sent_at}`)), new Set(['stamped null']));
}
