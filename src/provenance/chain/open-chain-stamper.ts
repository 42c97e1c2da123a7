import type { StampContext, Stamper } from '../stamping/stamper.ts';

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
  /** The number of blocks for which a confirmed stamp is still watched. Default: 64. */
  readonly watchedBlocks?: number;
  /** The time limit of a request to the node. Default: 20 seconds. */
  readonly timeoutMs?: number;
}

/** Creates a stamper for a chain. It loads the code for chains, which most installations do not need. */
export async function openChainStamper(context: StampContext, options: ChainStamperOptions): Promise<Stamper> {
  const { createChainStamper } = await import('./chain-stamper.ts');
  return createChainStamper(context, options);
}
