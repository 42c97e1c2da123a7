import { sql } from 'kysely';
import type { z } from 'zod';
import type { ProofFile } from '../../../src/contract/index.ts';
import type { Database, Executor } from '../../../src/platform/index.ts';
import { contentId, recordStamps, requestStamps, type StampPolicy } from '../../../src/provenance/index.ts';

export type ProofView = z.output<typeof ProofFile>;

/** Stamps the proofs of accounts. */
export const ALL_STAMPS: StampPolicy = { isConfigured: true, selection: 'accounts' };

/** Reads the subjects of the proofs that were handed over. */
export async function readSubjects(executor: Executor): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    SELECT subject FROM proof WHERE kind = 'event_revision' ORDER BY subject`.execute(executor.query());
  return rows.map(({ subject }) => subject);
}

/** Reads the content id of a revision. */
export async function readContentCid(executor: Executor, eventId: string, number = 1): Promise<string> {
  const { rows } = await sql<{ content_cid: string }>`
    SELECT content_cid FROM event_revision WHERE event_id = ${eventId} AND number = ${number}`.execute(
    executor.query(),
  );
  return rows[0]?.content_cid ?? '';
}

/** Stamps a proof at this time, as a chain would. */
export async function stampProof(database: Database, contentCid: string, timestamp: Date): Promise<void> {
  const id = contentId({});
  await requestStamps(database, [{ contentCid, kind: 'event_revision', subject: contentCid }], timestamp);
  await database.transaction((tx) =>
    recordStamps(
      tx,
      [{ contentCid, setCid: id, transactionHash: id, userAddress: null, chainId: 31_337, timestamp }],
      timestamp,
    ),
  );
}

/** Removes the proof of every revision of an event, as if the event were older than proofs are. */
export async function removeSeals(executor: Executor, eventId: string): Promise<void> {
  await sql`
    UPDATE event_revision SET content_cid = NULL, proof_hash = NULL, proof_salt = NULL
    WHERE event_id = ${eventId}`.execute(executor.query());
}
