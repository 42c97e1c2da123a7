import type { WaitCode } from '../receipts/tables.ts';
import type { ChainRound } from './chain-round.ts';
import { raiseFees } from './fees.ts';
import { writeAttempt } from './intents.ts';
import { NodeRefusal } from './json-rpc.ts';
import { type SignedAttempt, signAttempt } from './sign-attempt.ts';
import type { TransactionRow, WatchedTransaction } from './transaction-rows.ts';
import { isOpen, markSent } from './transaction-states.ts';

/** What became of signed bytes. `used`: a block already contains a transaction with this nonce. */
export type SendOutcome = 'sent' | 'used' | 'underpriced' | 'out of funds' | 'refused';

/** The phrases of common nodes, some of which write them as one word. They have no codes for these cases. */
const OUTCOMES: readonly (readonly [RegExp, SendOutcome])[] = [
  [/already[ _]?(known|imported|exists)|\bknown transaction|existing tx with same hash/i, 'sent'],
  [/nonce (is )?too ?low|old ?nonce/i, 'used'],
  [/underpriced|(fee|gas ?price).*(too ?low|less than|below)/i, 'underpriced'],
  [/insufficient ?(funds|balance)|enough funds/i, 'out of funds'],
];

/** The code that is noted with proofs whose transaction was not sent. */
const WAIT_CODES: Readonly<Record<SendOutcome, WaitCode | null>> = {
  sent: null,
  used: null,
  underpriced: 'STAMPER_REJECTED',
  'out of funds': 'OUT_OF_FUNDS',
  refused: 'STAMPER_REJECTED',
};

/**
 * Sends an open transaction if the node does not have it. Raises its fees if it has been in the pool for too long or pays
 * too little.
 *
 * @returns why the proofs of the transaction wait; null if they do not
 */
export async function sendAgain(round: ChainRound, transaction: WatchedTransaction): Promise<WaitCode | null> {
  const { client, context, head } = round;
  const newest = transaction.attempts.at(-1);
  if (newest === undefined) throw new Error(`The transaction ${transaction.id} has no attempt.`);
  // Another process may have given it up since this round began, and may be sending its proofs with another nonce.
  if (!(await isOpen(context.database, transaction.id))) return null;
  const isKnown = (await client.transaction(newest.hash)) !== null;
  const paysTooLittle = BigInt(newest.max_fee) < (head.baseFee ?? 0n);
  const isStuck = isKnown && (await isOverdue(round, transaction, newest.created_at));
  if (newest.raw === null || paysTooLittle || isStuck) {
    const raised = await raise(round, transaction);
    if (raised !== null) return send(round, transaction, raised);
  }
  if (isKnown) {
    await markSent(context.database, transaction);
    return null;
  }
  if (newest.raw === null) return 'STAMPER_REJECTED';
  const outcome = await sendBytes(round, transaction, { hash: newest.hash, raw: newest.raw });
  const raised = outcome === 'underpriced' ? await raise(round, transaction) : null;
  return raised === null ? noteSent(round, transaction, outcome) : send(round, transaction, raised);
}

/**
 * Sends signed bytes, which can be repeated without an effect.
 *
 * @returns why the proofs of the transaction wait; null if they do not
 */
export async function send(
  round: ChainRound,
  transaction: TransactionRow,
  attempt: SignedAttempt,
): Promise<WaitCode | null> {
  return noteSent(round, transaction, await sendBytes(round, transaction, attempt));
}

async function noteSent(round: ChainRound, transaction: TransactionRow, outcome: SendOutcome) {
  if (outcome === 'sent') await markSent(round.context.database, transaction);
  return WAIT_CODES[outcome];
}

async function sendBytes(
  { client, warnOnce }: ChainRound,
  { id }: TransactionRow,
  { hash, raw }: Pick<SignedAttempt, 'hash' | 'raw'>,
): Promise<SendOutcome> {
  try {
    await client.send(raw);
    return 'sent';
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    const outcome = outcomeOf(error.message);
    if (outcome !== 'sent' && outcome !== 'used') {
      const fields = { transaction: hash, code: error.code, reason: error.message };
      // The amounts and heights in a reason change with every block, and raised fees change the hash.
      warnOnce(fields, 'the node refused a transaction', `${id} ${error.message.replace(/0x[0-9a-f]+|\d+/gi, '')}`);
    }
    return outcome;
  }
}

/** Returns what a node means that did not take signed bytes. */
export function outcomeOf(reason: string): SendOutcome {
  return OUTCOMES.find(([phrase]) => phrase.test(reason))?.[1] ?? 'refused';
}

/** Only the transaction with the next nonce can be overdue. The others wait for it. */
async function isOverdue(round: ChainRound, { sender, nonce }: TransactionRow, since: Date): Promise<boolean> {
  if (round.context.clock.now().getTime() - since.getTime() < round.settings.bumpAfterMs) return false;
  return nonce === (await round.countNonces(sender));
}

/** Stores an attempt with higher fees. Returns null if there is none to send. */
async function raise(round: ChainRound, transaction: WatchedTransaction): Promise<SignedAttempt | null> {
  const { account, context, sender } = round;
  const newest = transaction.attempts.at(-1);
  // The key of another sender is not known.
  if (newest === undefined || transaction.sender !== sender) return null;
  const earlier = { maxFee: BigInt(newest.max_fee), priorityFee: BigInt(newest.priority_fee) };
  const fees = raiseFees(earlier, await round.fees());
  if (fees === null) return null;
  const { chain_id: chainId, contract, nonce, data, gas } = transaction;
  const attempt = await signAttempt(account, { chainId, contract, nonce, data, gas }, fees);
  if (!(await writeAttempt(context.database, transaction, attempt, context.clock.now()))) return null;
  context.log.info({ nonce, transaction: attempt.hash }, 'the fees of a transaction with stamps were raised');
  return attempt;
}
