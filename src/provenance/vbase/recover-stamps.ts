import { recordStamps, type Stamp } from '../receipts/record-stamps.ts';
import { type ClaimedProof, markRefused } from './claims.ts';
import { FIRST_STAMP_AT, InvalidReceiptError, readIds, readReceipt } from './read-receipt.ts';
import { logRefusal, retryTime, type StampingParts } from './stamp-proofs.ts';
import type { FoundStamps } from './vbase-client.ts';

export interface Recovered {
  readonly stamped: number;
  /** The number of proofs whose stamp the service has, but without a valid receipt. */
  readonly refused: number;
  /** The proofs that have no stamp. */
  readonly missing: readonly ClaimedProof[];
}

/**
 * Records the stamps that the service has already. Every proof is looked up before it is sent: a request may have been
 * accepted although its reply was lost, or before the database was restored from a backup.
 */
export async function recoverStamps(
  { client, clock, database, log, setCid, settleMs }: StampingParts,
  claimed: readonly ClaimedProof[],
  claim: Date,
  signal: AbortSignal,
): Promise<Recovered> {
  const found = await client.findStamps(
    claimed.map(({ contentCid }) => contentCid),
    signal,
  );
  const now = clock.now();
  const stamps: Stamp[] = [];
  const missing: ClaimedProof[] = [];
  let refused = 0;
  for (const proof of claimed) {
    const outcome = findEarliest(found, proof.contentCid, setCid, now);
    if (outcome === null) missing.push(proof);
    else if (!(outcome instanceof InvalidReceiptError)) stamps.push(outcome);
    else {
      refused++;
      logRefusal(log, proof, outcome);
      await markRefused(database, proof.contentCid, { claim, now, retryAt: retryTime(now, proof.attempts, settleMs) });
    }
  }
  if (stamps.length > 0) await database.transaction((tx) => recordStamps(tx, stamps, now));
  return { stamped: stamps.length, refused, missing };
}

/** Returns the earliest stamp of a proof in the collection, the problem if none is valid, or null if there is none. */
function findEarliest(
  { receipts, timezone }: FoundStamps,
  contentCid: string,
  setCid: string,
  now: Date,
): Stamp | InvalidReceiptError | null {
  let problem: InvalidReceiptError | null = null;
  let earliest: Stamp | null = null;
  for (const receipt of receipts) {
    const ids = readIds(receipt);
    // The account may have stamped the same content id in other collections.
    if (ids.contentCid !== contentCid || ids.setCid !== setCid) continue;
    try {
      const expected = { contentCid, setCid, now, notBefore: FIRST_STAMP_AT, isRecovered: true, timezone };
      const stamp = readReceipt(receipt, expected);
      if (earliest === null || stamp.timestamp < earliest.timestamp) earliest = stamp;
    } catch (error) {
      if (!(error instanceof InvalidReceiptError)) throw error;
      problem = error;
    }
  }
  return earliest ?? problem;
}
