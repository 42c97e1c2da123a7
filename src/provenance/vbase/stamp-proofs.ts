import { DAY_MS } from '../../calendar/index.ts';
import type { Clock, Database, Log } from '../../platform/index.ts';
import { MAX_BLOCK_LAG_MS } from '../documents/receipt-form.ts';
import { recordStamps, type Stamp } from '../receipts/record-stamps.ts';
import { type ClaimedProof, markRefused, markSent, markUnclear, releaseProofs } from './claims.ts';
import { FIRST_STAMP_AT, InvalidReceiptError, readReceipt } from './read-receipt.ts';
import type { VbaseClient } from './vbase-client.ts';
import { VbaseError, type VbaseFault } from './vbase-error.ts';

export interface StampingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly client: VbaseClient;
  readonly setCid: string;
  readonly requestMs: number;
  readonly settleMs: number;
}

/** What became of the proofs that were sent. */
export interface SentProofs {
  /** The proofs that were not sent because the round ended. */
  readonly unsent: readonly ClaimedProof[];
  /** The number of proofs that were sent for the first time. */
  readonly sent: number;
  readonly stamped: number;
  readonly refused: number;
  readonly unclear: number;
  /** Why the round ended; null if all proofs were sent. */
  readonly failure: VbaseError | null;
}

interface Outcome {
  readonly proof: ClaimedProof;
  readonly result: Stamp | VbaseError | InvalidReceiptError;
}

const MAX_CONCURRENT = 4;
/** The number of failures in a row after which a round ends. */
const MAX_FAILURES = 3;
/** The documented default of the service. */
const MIN_WINDOW_SECONDS = 3_600;

/** Sends proofs to the service, a few at a time, until it accepts no further ones. */
export async function stampProofs(
  parts: StampingParts,
  proofs: readonly ClaimedProof[],
  claim: Date,
  signal: AbortSignal,
): Promise<SentProofs> {
  const outcomes: Outcome[] = [];
  let failure: VbaseError | null = null;
  let failuresInARow = 0;
  let next = 0;
  while (next < proofs.length && failure === null && !signal.aborted) {
    const group = await stampGroup(parts, proofs.slice(next, next + MAX_CONCURRENT), claim, signal);
    next += MAX_CONCURRENT;
    outcomes.push(...group);
    const faults = group.map(({ result }) => result).filter((result) => result instanceof VbaseError);
    failure = faults.find(({ fault }) => STOPPING.has(fault)) ?? null;
    const failed = faults.filter(({ fault }) => fault !== 'refused');
    failuresInARow = failed.length === group.length ? failuresInARow + failed.length : 0;
    if (failuresInARow >= MAX_FAILURES) failure ??= failed.at(-1) ?? null;
  }
  const tally = (matches: (outcome: Outcome) => boolean) => outcomes.filter(matches).length;
  return {
    unsent: proofs.slice(next),
    sent: tally(({ proof, result }) => proof.sentAt === null && !isUnaccepted(result)),
    stamped: tally(({ result }) => isStamp(result)),
    refused: tally(({ result }) => isRefusal(result)),
    unclear: tally(({ result }) => isUnclear(result)),
    failure,
  };
}

/** The faults that concern every request. */
const STOPPING: ReadonlySet<VbaseFault> = new Set(['unreachable', 'unauthorized', 'unpaid', 'busy']);

async function stampGroup(
  parts: StampingParts,
  group: readonly ClaimedProof[],
  claim: Date,
  signal: AbortSignal,
): Promise<Outcome[]> {
  const { clock, database, requestMs, settleMs } = parts;
  const sentAt = clock.now();
  const until = new Date(sentAt.getTime() + requestMs + settleMs);
  const held = await markSent(database, group.map(cidOf), { claim, until, now: sentAt });
  const outcomes = await Promise.all(
    group
      .filter(({ contentCid }) => held.has(contentCid))
      .map(async (proof) => ({ proof, result: await requestStamp(parts, proof, sentAt, signal) })),
  );
  await settle(parts, outcomes, { claim: until, sentAt });
  return outcomes;
}

async function requestStamp(
  { client, clock, setCid }: StampingParts,
  { contentCid, sentAt }: ClaimedProof,
  now: Date,
  signal: AbortSignal,
): Promise<Outcome['result']> {
  // The window reaches back before the first request, so that the service finds the stamp that it may have made then.
  const ageSeconds = Math.ceil((now.getTime() - (sentAt ?? now).getTime()) / 1_000);
  const windowSeconds = ageSeconds + MIN_WINDOW_SECONDS;
  try {
    const { receipt, isNew } = await client.createStamp({ contentCid, setCid, windowSeconds }, signal);
    // If the clock of this machine is fast, the stamp is refused here and accepted when it is looked up.
    const notBefore = isNew ? new Date(now.getTime() - MAX_BLOCK_LAG_MS) : FIRST_STAMP_AT;
    return readReceipt(receipt, { contentCid, setCid, now: clock.now(), notBefore, isRecovered: false });
  } catch (error) {
    if (error instanceof VbaseError || error instanceof InvalidReceiptError) return error;
    throw error;
  }
}

async function settle(
  { clock, database, log, settleMs }: StampingParts,
  outcomes: readonly Outcome[],
  { claim, sentAt }: { readonly claim: Date; readonly sentAt: Date },
): Promise<void> {
  const now = clock.now();
  const stamps = outcomes.map(({ result }) => result).filter(isStamp);
  if (stamps.length > 0) await database.transaction((tx) => recordStamps(tx, stamps, now));
  const select = (matches: (result: Outcome['result']) => boolean) =>
    outcomes.filter(({ result }) => matches(result)).map(({ proof }) => proof);
  const retryAt = new Date(now.getTime() + settleMs);
  await markUnclear(database, select(isUnclear).map(cidOf), { claim, retryAt });
  await releaseProofs(database, select(isUnaccepted).map(cidOf), { claim, sentAt });
  for (const { proof, result } of outcomes) {
    if (isUnclear(result) && result.reason !== 'aborted') {
      log.warn({ content_cid: proof.contentCid, reason: result.reason }, result.message);
    }
    if (!isRefusal(result)) continue;
    logRefusal(log, proof, result);
    await markRefused(database, proof.contentCid, { claim, now, retryAt: retryTime(now, proof.attempts, settleMs) });
  }
}

/** Logs that a proof cannot be stamped for now. */
export function logRefusal(log: Log, { contentCid }: ClaimedProof, error: VbaseError | InvalidReceiptError): void {
  const reason = error instanceof VbaseError ? error.reason : error.message;
  log.error({ content_cid: contentCid, reason }, "vBase's service did not stamp a proof");
}

/**
 * Returns when a proof is tried again that was refused. The time doubles up to a day. A refusal may mean that there is a
 * stamp already, so the first time is long enough to find it.
 */
export function retryTime(now: Date, attempts: number, settleMs: number): Date {
  return new Date(now.getTime() + Math.min(settleMs * 2 ** attempts, DAY_MS));
}

const cidOf = ({ contentCid }: ClaimedProof) => contentCid;

function isStamp(result: Outcome['result']): result is Stamp {
  return !(result instanceof Error);
}

/** Returns whether the service may have accepted the request. */
function isUnclear(result: Outcome['result']): result is VbaseError {
  return result instanceof VbaseError && result.fault === 'unclear';
}

/** Returns whether the service refused this proof, while it may accept others. */
function isRefusal(result: Outcome['result']): result is VbaseError | InvalidReceiptError {
  return result instanceof InvalidReceiptError || (result instanceof VbaseError && result.fault === 'refused');
}

/** Returns whether the service certainly did not accept the request, for a reason that is not about this proof. */
function isUnaccepted(result: Outcome['result']): boolean {
  return result instanceof VbaseError && !isUnclear(result) && !isRefusal(result);
}
