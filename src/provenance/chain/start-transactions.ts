import { sql } from 'kysely';
import type { WaitCode } from '../receipts/tables.ts';
import { hasReachedDailyLimit, takeWaitingProofs } from '../receipts/waiting-proofs.ts';
import { encodeObjects, encodeSet } from './chain-client.ts';
import type { ChainRound } from './chain-round.ts';
import { type Intent, writeIntent } from './intents.ts';
import { NodeRefusal } from './json-rpc.ts';
import { recoverCommitments } from './recover-commitments.ts';
import { send } from './send-transactions.ts';
import { signAttempt } from './sign-attempt.ts';
import { readNonceUse } from './transaction-rows.ts';

export interface Started {
  /** The number of proofs that were sent. */
  readonly sent: number;
  readonly waitCode: WaitCode | null;
  /** Whether proofs still wait that another round can send. */
  readonly isUnfinished: boolean;
}

const IDLE: Started = { sent: 0, waitCode: null, isUnfinished: false };
const UNFINISHED: Started = { ...IDLE, isUnfinished: true };

/** Sends waiting proofs in batches, after the set was added. */
export async function startTransactions(round: ChainRound): Promise<Started> {
  const { client, context, sender, settings } = round;
  const { chainId, contract, setCid, maxOpen, batchSize } = settings;
  // Read before the database, so that transactions which another process sends meanwhile do not appear to be foreign.
  const inPool = await client.countNonces(sender, 'pending');
  const used = await round.countNonces(sender);
  const use = await readNonceUse(context.database, { chainId, sender, contract, setCid });
  if (use.open >= maxOpen) return UNFINISHED;
  let nonce = Math.max(used, use.next);
  // Until they are in a block, it is not known whether they commit the same proofs.
  if (inPool > nonce) {
    round.warnOnce({ inPool, nonce }, 'transactions of another program with the address that stamps wait in the pool');
    return { ...IDLE, waitCode: 'STAMPER_REJECTED' };
  }
  if (used > use.next && !(await recoverCommitments(round))) return UNFINISHED;
  if (!(await client.hasSet(contract, sender, setCid))) {
    if (use.isAddingSet) return UNFINISHED;
    const waitCode = await start(round, { nonce, data: encodeSet(setCid), contentCids: null, reserved: 0n });
    return { sent: 0, waitCode: waitCode === 'taken' ? null : toWaitCode(waitCode), isUnfinished: waitCode === null };
  }
  let sent = 0;
  let limit = batchSize;
  for (let open = use.open; open < maxOpen; ) {
    const options = { limit, perDay: context.perDay, now: context.clock.now() };
    const taken = await context.database.transaction((tx) => takeWaitingProofs(tx, options));
    if (taken.length === 0)
      return { ...IDLE, sent, waitCode: (await hasReachedDailyLimit(context.database)) ? 'DAILY_LIMIT' : null };
    const contentCids = taken.map(({ content_cid }) => content_cid);
    const { reserved } = await readNonceUse(context.database, { chainId, sender, contract, setCid });
    const waitCode = await start(round, { nonce, data: encodeObjects(setCid, contentCids), contentCids, reserved });
    // The blocks of a small chain may not have room for a full batch.
    if (waitCode === 'refused' && taken.length > 1) {
      limit = Math.ceil(taken.length / 2);
      continue;
    }
    if (waitCode === 'taken') return { ...UNFINISHED, sent };
    if (waitCode !== null) return { sent, waitCode: toWaitCode(waitCode), isUnfinished: false };
    sent += taken.length;
    nonce += 1;
    open += 1;
  }
  return { ...UNFINISHED, sent };
}

/** Returns whether so many proofs wait. */
export async function areWaiting({ context }: Pick<ChainRound, 'context'>, count: number): Promise<boolean> {
  const now = context.clock.now();
  const { rows } = await sql`
    SELECT FROM proof
    WHERE status <> 'stamped' AND transaction_id IS NULL AND coalesce(retry_at, ${now}) <= ${now}
    LIMIT ${count}`.execute(context.database.query());
  return rows.length === count;
}

interface NewTransaction extends Pick<Intent, 'nonce' | 'data' | 'contentCids'> {
  /** What the open transactions can cost, in wei. */
  readonly reserved: bigint;
}

/**
 * @returns null if the transaction was sent; `taken` if another process was faster; `refused` if the contract would refuse
 * it; otherwise why the proofs wait
 */
async function start(
  round: ChainRound,
  { nonce, data, contentCids, reserved }: NewTransaction,
): Promise<WaitCode | 'taken' | 'refused' | null> {
  const { account, client, context, head, sender, settings } = round;
  const { chainId, contract, setCid } = settings;
  const gas = await estimateGas(round, data);
  if (gas === null) return 'refused';
  const fees = await round.fees();
  if ((await client.balance(sender)) < reserved + BigInt(gas) * fees.maxFee) return 'OUT_OF_FUNDS';
  const attempt = await signAttempt(account, { chainId, contract, nonce, data, gas }, fees);
  const intent = { chainId, contract, sender, nonce, setCid, data, gas, fromBlock: head.number, contentCids };
  const row = await writeIntent(context.database, intent, attempt, context.clock.now());
  return row === null ? 'taken' : send(round, row, attempt);
}

function toWaitCode(outcome: WaitCode | 'refused' | null): WaitCode | null {
  return outcome === 'refused' ? 'STAMPER_REJECTED' : outcome;
}

/** Returns the gas limit of a transaction, with a margin of 20 %; null if the contract would refuse it. */
async function estimateGas({ client, sender, settings, warnOnce }: ChainRound, data: string): Promise<number | null> {
  try {
    return Math.ceil(1.2 * (await client.estimateGas(sender, settings.contract, data)));
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    warnOnce({ code: error.code, reason: error.message }, 'the contract would refuse a transaction with stamps');
    return null;
  }
}
