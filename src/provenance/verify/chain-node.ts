import { createJsonRpc, NodeRefusal, NodeUnavailable } from '../chain/json-rpc.ts';

/** A node of an EVM chain with JSON-RPC. */
export interface ChainNode {
  /** Returns the result of a call. Throws `ChainNodeError` if there is none. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

/**
 * The failure of a node. It contains neither the address of the node, which may contain a key, nor any part of its
 * reply.
 */
export class ChainNodeError extends Error {
  override readonly name = 'ChainNodeError';
}

const TIMEOUT_MS = 20_000;

/** Returns a node that is reached by HTTP. */
export function connectChainNode(url: string, { timeoutMs = TIMEOUT_MS } = {}): ChainNode {
  const rpc = createJsonRpc({ url, timeoutMs, signal: new AbortController().signal });
  return {
    async call(method, params) {
      try {
        return await rpc(method, params);
      } catch (error) {
        if (error instanceof NodeRefusal) {
          throw new ChainNodeError(`The node refused ${method} with the code ${error.code}.`);
        }
        if (error instanceof NodeUnavailable) throw new ChainNodeError(`${method} failed: ${error.message}`);
        throw error;
      }
    },
  };
}

/** Returns the error for a reply that has another form than the method prescribes. */
export function malformedReply(method: string): ChainNodeError {
  return new ChainNodeError(`The node sent an invalid reply to ${method}.`);
}
