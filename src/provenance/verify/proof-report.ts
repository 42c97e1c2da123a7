import type { StatedStamp } from '../documents/receipt-form.ts';
import { examineProof, type Verdict } from '../documents/verify-proof.ts';
import { type ChainCommitment, type ConfirmedStamp, StampMismatchError, verifyOnChain } from './chain-commitment.ts';
import { type ChainNode, ChainNodeError } from './chain-node.ts';

/** The verdict on a proof file in sentences. */
export interface ProofReport extends Verdict {
  readonly proven: readonly string[];
  readonly not_proven: readonly string[];
  /** Null unless a chain confirmed the receipt. */
  readonly chain: ChainCommitment | null;
}

export interface ReportedProof {
  readonly report: ProofReport;
  /** Why a valid file was not checked on the chain although a node was given; null otherwise. */
  readonly unchecked: string | null;
}

export interface ChainOptions {
  readonly node: ChainNode;
  /** The contract that must have recorded the commitment. */
  readonly contract?: string | undefined;
}

/** A block with fewer confirmations may still be replaced. */
const MIN_CONFIRMATIONS = 12;

/**
 * Verifies a proof file, and its receipt on the chain if a node is given. The file is verified first, and that part of
 * the report does not depend on the node.
 */
export async function reportProof(text: string, chain?: ChainOptions): Promise<ReportedProof> {
  const { verdict, stamp } = examineProof(text);
  if (!verdict.valid) return { report: { ...verdict, proven: [], not_proven: [], chain: null }, unchecked: null };
  if (chain === undefined) return { report: describe(verdict, stamp, null), unchecked: null };
  if (stamp === null) {
    const unchecked = 'The proof has no stamp that a chain could confirm.';
    return { report: describe(verdict, stamp, null), unchecked };
  }
  try {
    const confirmed = await verifyOnChain(stamp, chain.node, chain);
    return { report: describe(verdict, stamp, confirmed), unchecked: null };
  } catch (error) {
    if (error instanceof StampMismatchError) {
      const problems = [error.message];
      return {
        report: { ...verdict, valid: false, problems, proven: [], not_proven: [], chain: null },
        unchecked: null,
      };
    }
    if (!(error instanceof ChainNodeError)) throw error;
    return { report: describe(verdict, stamp, null), unchecked: `The chain was not checked. ${error.message}` };
  }
}

function describe(verdict: Verdict, stamp: StatedStamp | null, confirmed: ConfirmedStamp | null): ProofReport {
  return {
    ...verdict,
    proven: [...listProven(verdict, stamp, confirmed)],
    not_proven: [...listNotProven(verdict, stamp, confirmed)],
    chain: confirmed?.commitment ?? null,
  };
}

function* listProven(
  { content_cid: cid }: Verdict,
  stamp: StatedStamp | null,
  confirmed: ConfirmedStamp | null,
): Generator<string> {
  yield `The document has the content id ${cid}. A document with any other content has another id.`;
  if (stamp !== null) yield 'The receipt has the form of its version and names this content id.';
  if (confirmed === null) return;
  const { commitment, userIsShownBy } = confirmed;
  const { block_number: block, chain_id: chain, timestamp, contract, user_address: user } = commitment;
  yield `The document has not changed since ${timestamp}: block ${block} of chain ${chain} contains its content id.`;
  if (userIsShownBy === null) return;
  const reason = {
    deployment: `the contract ${contract}, a known deployment of vBase, recorded it for this address`,
    named_contract: `the contract ${contract}, which you named, recorded it for this address`,
    sender: 'this address sent the transaction',
  }[userIsShownBy];
  yield `The content id was committed by ${user}: ${reason}.`;
}

function* listNotProven(
  { receipt, unknown_fields }: Verdict,
  stamp: StatedStamp | null,
  confirmed: ConfirmedStamp | null,
): Generator<string> {
  if (receipt === 'absent') yield 'That the document existed at any time: the file has no receipt.';
  else if (stamp === null) yield `That the document existed at any time: its receipt is ${receipt}.`;
  else if (confirmed === null) {
    yield `That chain ${stamp.chain_id} has the receipt. Add --chain with the address of a node of this chain to check it.`;
  } else yield* listDoubts(confirmed);
  yield 'When the forecast was made: it may be older than its stamp.';
  yield 'That no other forecast for the same question was stamped and withheld.';
  yield 'That the forecast was computed as the document describes: only its form was checked.';
  if (stamp?.user_label !== undefined) yield 'That user_label names the right account: it is not on the chain.';
  if (unknown_fields.length > 0) yield 'That the content of the unknown fields is correct: it was hashed, not checked.';
}

function* listDoubts({ commitment, userIsShownBy }: ConfirmedStamp): Generator<string> {
  const { user_address: user, contract, block_number: block, confirmations } = commitment;
  yield 'That the node reported the chain correctly. Use your own node, or compare the replies of several nodes.';
  if (confirmations < MIN_CONFIRMATIONS) {
    yield `That block ${block} is final: it has ${confirmations} of the ${MIN_CONFIRMATIONS} recommended confirmations.`;
  }
  if (userIsShownBy === null) {
    yield `That ${user} committed the content id: only the contract ${contract} states it, which is not a known deployment.`;
  }
}
