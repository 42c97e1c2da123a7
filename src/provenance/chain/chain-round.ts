import type { PrivateKeyAccount } from 'viem/accounts';
import type { StampContext } from '../stamping/stamper.ts';
import type { ChainClient } from './chain-client.ts';
import { estimateFees, type Fees } from './fees.ts';
import type { Block } from './node-replies.ts';

/** What an operator configures, and limits that only tests change. */
export interface ChainStamperOptions {
  /** The address of the JSON-RPC interface of a node. It may contain a key. */
  readonly url: string;
  readonly chainId: number;
  /** The address of the contract. */
  readonly contract: string;
  /** The private key of the address that stamps. */
  readonly key: `0x${string}`;
  /** The name of the collection, whose hash is the id of the set. */
  readonly collection: string;
  /** The number of blocks after which a stamp counts as confirmed, counted from the one with the transaction. */
  readonly confirmations: number;
  /** Maximum number of proofs in a transaction. Default: 200. */
  readonly batchSize?: number;
  /** Maximum number of transactions that no block contains yet. Default: 4. */
  readonly maxOpen?: number;
  /** The fees of a transaction are raised if it has been in the pool for so long. Default: 3 minutes. */
  readonly bumpAfterMs?: number;
  /**
   * A nonce counts as taken by another program, or as lost by the chain, only if it has appeared so for this time. Behind
   * one address there may be several nodes, and one that is behind knows neither the receipt nor the events of a
   * transaction. Default: 10 minutes.
   */
  readonly takenAfterMs?: number;
  /** The number of blocks for which a confirmed stamp is still watched. Default: 64. */
  readonly watchedBlocks?: number;
  /** The time limit of a request to the node. Default: 20 seconds. */
  readonly timeoutMs?: number;
}

/** The chain, the contract and how it is used. */
export interface ChainSettings {
  readonly chainId: number;
  /** The address of the contract. */
  readonly contract: string;
  readonly setCid: string;
  /** The number of blocks, counted from the one with the transaction, after which a stamp counts as confirmed. */
  readonly confirmations: number;
  /** The number of blocks for which a confirmed stamp is still watched. */
  readonly watchedBlocks: number;
  readonly batchSize: number;
  /** Maximum number of transactions that no block contains yet, because the pools of nodes limit them. */
  readonly maxOpen: number;
  /** The fees of a transaction are raised if it has been in the pool for so long. */
  readonly bumpAfterMs: number;
  /** A nonce counts as taken by another program, or as lost by the chain, only if it has appeared so for this time. */
  readonly takenAfterMs: number;
}

/** What every step of a round uses: the chain as it was when the round began. */
export interface ChainRound {
  readonly context: StampContext;
  readonly settings: ChainSettings;
  readonly account: PrivateKeyAccount;
  /** The address of the account, in lower case. */
  readonly sender: string;
  readonly client: ChainClient;
  readonly head: Block;
  /**
   * Logs a problem once, however many rounds find it.
   *
   * @param key what identifies the problem together with its message; by default its fields
   */
  warnOnce(fields: object, message: string, key?: string): void;
  /** Since when the nonces of open transactions appear to be taken by another program, by the id of the transaction. */
  readonly takenSince: Map<string, Date>;
  /** Since when the chain misses nonces that a sender has used, by sender. */
  readonly lostSince: Map<string, Date>;
  /** The head at which a search for commitments found nothing, by the number of nonces that the sender had used. */
  readonly searchedAt: Map<number, number>;
  /** Returns how many nonces an address has used at the head. */
  countNonces(address: string): Promise<number>;
  /** Returns the fees of a transaction that is to be mined soon. */
  fees(): Promise<Fees>;
}

/** Reads the head of the chain and begins a round. */
export async function beginRound(parts: Omit<ChainRound, 'head' | 'countNonces' | 'fees'>): Promise<ChainRound> {
  const { client } = parts;
  const head = await client.latestBlock();
  const counts = new Map<string, Promise<number>>();
  let fees: Promise<Fees> | undefined;
  return {
    ...parts,
    head,
    countNonces(address) {
      const count = counts.get(address) ?? client.countNonces(address, head.number);
      counts.set(address, count);
      return count;
    },
    fees() {
      fees ??= estimateFees(client, head);
      return fees;
    },
  };
}
