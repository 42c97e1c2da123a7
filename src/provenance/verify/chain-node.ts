import { boundedRequest, isRecord, OutboundError } from '../../platform/index.ts';

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

/** The receipt of a transaction with a thousand commitments has about 1 MB. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** Returns a node that is reached by HTTP. */
export function connectChainNode(url: string, { timeoutMs = TIMEOUT_MS } = {}): ChainNode {
  let id = 0;
  return {
    async call(method, params) {
      id += 1;
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const { status, bytes } = await send(url, method, { body, timeoutMs });
      const reply = parseReply(bytes);
      if (reply !== null && reply.id === id && 'result' in reply) return reply.result;
      const code = reply !== null && isRecord(reply.error) ? reply.error.code : undefined;
      if (Number.isSafeInteger(code)) throw new ChainNodeError(`The node refused ${method} with the code ${code}.`);
      if (status !== 200) throw new ChainNodeError(`The node replied to ${method} with the status ${status}.`);
      throw malformedReply(method);
    },
  };
}

/** Returns the error for a reply that has another form than JSON-RPC or the method prescribes. */
export function malformedReply(method: string): ChainNodeError {
  return new ChainNodeError(`The node sent an invalid reply to ${method}.`);
}

async function send(
  url: string,
  method: string,
  { body, timeoutMs }: { readonly body: Uint8Array; readonly timeoutMs: number },
): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const options = { method: 'POST', namedBy: 'operator', maxBytes: MAX_REPLY_BYTES } as const;
    return await boundedRequest(url, { ...options, headers, body, timeoutMs });
  } catch (error) {
    if (error instanceof OutboundError)
      throw new ChainNodeError(`The node did not reply to ${method}: ${error.message}`);
    throw error;
  }
}

function parseReply(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const reply: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(reply) ? reply : null;
  } catch {
    return null;
  }
}
