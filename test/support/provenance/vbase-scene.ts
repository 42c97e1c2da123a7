import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Clock, createLog, type Database, type Log, outboxMigrations } from '../../../src/platform/index.ts';
import { provenanceMigrations, requestStamps, type Stamper } from '../../../src/provenance/index.ts';
import type { ProofTable, ProvenanceTables } from '../../../src/provenance/receipts/tables.ts';
import { createVbaseStamper, type VbaseOptions } from '../../../src/provenance/vbase/vbase-stamper.ts';
import type { VbaseServer } from './vbase-server.ts';

export const VBASE_MIGRATIONS = { migrations: [outboxMigrations, provenanceMigrations] };
export const MINUTE_MS = 60_000;

/** A clock that moves only when it is told to. */
export interface SetClock extends Clock {
  advance(ms: number): void;
}

export function createSetClock(start = '2026-03-02T10:00:00.250Z'): SetClock {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Returns the content id of a proof that only the test has. */
export const cidOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex')}`;

export interface StamperOptions extends Partial<VbaseOptions> {
  readonly perDay?: number;
  readonly log?: Log;
}

/** Creates a stamper that uses the server, with times that suit tests. */
export function openVbaseStamper(
  database: Database,
  clock: Clock,
  server: VbaseServer,
  { perDay = 10_000, log = createLog('silent'), ...options }: StamperOptions = {},
): Stamper {
  const { url, key } = server;
  return createVbaseStamper({ database, clock, log, perDay }, { key, url, collection: 'almanac', ...options });
}

/** Hands over proofs that wait to be stamped, and returns their content ids. */
export async function handOver(database: Database, clock: Clock, names: readonly string[]): Promise<string[]> {
  const proofs = names.map((name) => ({ contentCid: cidOf(name), kind: 'forecast' as const, subject: `ef_${name}` }));
  await requestStamps(database, proofs, clock.now());
  return proofs.map(({ contentCid }) => contentCid);
}

export function readProofs(database: Database, contentCids: readonly string[]): Promise<Selectable<ProofTable>[]> {
  return database
    .query<ProvenanceTables>()
    .selectFrom('proof')
    .selectAll()
    .where('content_cid', 'in', contentCids)
    .orderBy('subject')
    .execute();
}
