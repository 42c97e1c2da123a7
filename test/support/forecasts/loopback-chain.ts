import { text } from 'node:stream/consumers';
import type { StatedStamp } from '../../../src/provenance/documents/receipt-form.ts';
import { ADD_SET_OBJECT_TOPIC } from '../../../src/provenance/verify/chain-commitment.ts';
import type { ChainNode } from '../../../src/provenance/verify/chain-node.ts';
import { type Loopback, startLoopback } from '../platform/loopback.ts';

/** The replies of a node to each method. A test changes them before it calls the node. */
export type ChainReplies = Record<string, (params: readonly unknown[]) => unknown>;

export const CONTRACT = `0x${'c0'.repeat(20)}`;
export const BLOCK_HASH = `0x${'b1'.repeat(32)}`;
const BLOCK_NUMBER = 1_000;

/** Returns the replies of a node whose chain has a stamp, 24 blocks before the latest. */
export function repliesFor(stamp: StatedStamp, change: ChainChange = {}): ChainReplies {
  const seconds = hex(Date.parse(stamp.timestamp) / 1000);
  const user = (stamp.user_address ?? `0x${'a0'.repeat(20)}`).toLowerCase();
  const log = {
    address: CONTRACT,
    topics: [ADD_SET_OBJECT_TOPIC, pad(user), stamp.set_cid, stamp.object_cid],
    data: pad(seconds),
    ...change.log,
  };
  const transaction = {
    transactionHash: stamp.transaction_hash,
    from: user,
    status: '0x1',
    blockHash: BLOCK_HASH,
    blockNumber: hex(BLOCK_NUMBER),
    logs: [{ address: CONTRACT, topics: [], data: '0x' }, log],
    ...change.transaction,
  };
  const block = { hash: BLOCK_HASH, number: hex(BLOCK_NUMBER), timestamp: seconds, ...change.block };
  const confirmed = pad(user).slice(2) + stamp.object_cid.slice(2) + pad(seconds).slice(2);
  return {
    eth_chainId: () => hex(stamp.chain_id),
    eth_getTransactionReceipt: ([hash]) => (hash === stamp.transaction_hash ? transaction : null),
    eth_getBlockByHash: ([hash]) => (hash === BLOCK_HASH ? block : null),
    eth_getBlockByNumber: ([number]) => (number === hex(BLOCK_NUMBER) ? block : null),
    eth_call: ([request]) => {
      const { to, data } = request as { readonly to: string; readonly data: string };
      return pad(to === log.address && data.slice(10) === confirmed ? '0x1' : '0x0');
    },
    eth_blockNumber: () => hex(BLOCK_NUMBER + 24),
    ...change.replies,
  };
}

interface ChainChange {
  readonly log?: object;
  readonly transaction?: object;
  readonly block?: object;
  readonly replies?: ChainReplies;
}

/** Returns a node in this process. */
export function localNode(replies: ChainReplies): ChainNode {
  return { call: async (method, params) => replies[method]?.(params) };
}

/** Starts a node on this machine. */
export async function startChain(replies: ChainReplies): Promise<Loopback> {
  return startLoopback(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: replies[method]?.(params) }));
  });
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function pad(value: string): string {
  return `0x${value.slice(2).padStart(64, '0')}`;
}
