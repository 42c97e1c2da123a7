import type { ChainClient } from './chain-client.ts';
import { NodeRefusal } from './json-rpc.ts';
import type { Block } from './node-replies.ts';

/** What a transaction pays for a unit of gas, in wei. */
export interface Fees {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
  /** Whether the chain knows only a gas price. It is then both fees. */
  readonly isLegacy: boolean;
}

/** A bumped fee may be at most this multiple of the estimate, so that a stuck transaction does not empty the account. */
const MAX_MULTIPLE = 10n;

/** Estimates the fees of a transaction that is to be mined soon. */
export async function estimateFees(client: ChainClient, { baseFee }: Block): Promise<Fees> {
  if (baseFee === null) {
    const price = await client.gasPrice();
    return { maxFee: price, priorityFee: price, isLegacy: true };
  }
  const priorityFee = await estimatePriorityFee(client, baseFee);
  // The base fee can double within six blocks.
  return { maxFee: 2n * baseFee + priorityFee, priorityFee, isLegacy: false };
}

/**
 * Returns the fees with which an attempt can replace an earlier one. Nodes require 10 % more of both fees.
 *
 * @returns null if they would exceed the estimate by too much
 */
export function raiseFees(earlier: Omit<Fees, 'isLegacy'>, estimate: Fees): Fees | null {
  const maxFee = larger(estimate.maxFee, raised(earlier.maxFee));
  if (maxFee > MAX_MULTIPLE * estimate.maxFee) return null;
  const priorityFee = estimate.isLegacy ? maxFee : larger(estimate.priorityFee, raised(earlier.priorityFee));
  return { maxFee, priorityFee: priorityFee > maxFee ? maxFee : priorityFee, isLegacy: estimate.isLegacy };
}

async function estimatePriorityFee(client: ChainClient, baseFee: bigint): Promise<bigint> {
  try {
    return await client.priorityFee();
  } catch (error) {
    // Not every node has this method.
    if (!(error instanceof NodeRefusal)) throw error;
    const price = await client.gasPrice();
    return price > baseFee ? price - baseFee : 0n;
  }
}

/** Returns a fee that is 12.5 % higher, rounded up. */
function raised(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
