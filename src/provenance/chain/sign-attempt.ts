import type { PrivateKeyAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import type { Fees } from './fees.ts';
import type { Hex } from './node-replies.ts';

/** What all attempts of a transaction have in common. */
export interface TransactionContent {
  readonly chainId: number;
  readonly contract: string;
  readonly nonce: number;
  readonly data: string;
  readonly gas: number;
}

/** A signed transaction. */
export interface SignedAttempt {
  readonly hash: string;
  readonly raw: string;
  readonly fees: Fees;
}

/** Signs a transaction. Nothing is sent. */
export async function signAttempt(
  account: PrivateKeyAccount,
  { chainId, contract, nonce, data, gas }: TransactionContent,
  fees: Fees,
): Promise<SignedAttempt> {
  const content = { chainId, to: contract as Hex, nonce, data: data as Hex, gas: BigInt(gas), value: 0n };
  const raw = await (fees.isLegacy
    ? account.signTransaction({ ...content, type: 'legacy', gasPrice: fees.maxFee })
    : account.signTransaction({
        ...content,
        type: 'eip1559',
        maxFeePerGas: fees.maxFee,
        maxPriorityFeePerGas: fees.priorityFee,
      }));
  return { hash: keccak256(raw), raw, fees };
}
