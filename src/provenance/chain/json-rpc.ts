import { boundedRequest, cleanText, isRecord, OutboundError } from '../../platform/index.ts';

/** Calls a method of a node and returns its result. Throws `NodeUnavailable` or `NodeRefusal`. */
export type JsonRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface JsonRpcOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A node that cannot be reached or gives no usable reply. The message contains neither the address nor the reply. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeUnavailable';
  /** Whether the reply exceeded the limit of its size. A request for less can succeed. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** The error of a node that understood the request. Its message is cleaned, because nodes quote addresses and bodies. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The logs of thousands of proofs need less. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
/** Too many requests, in the numbering of JSON-RPC services and of HTTP. They accept the same request later. */
const RATE_LIMITS: readonly number[] = [-32_005, -32_029, 429];
const MAX_MESSAGE_LENGTH = 160;

/** Returns a function that calls the methods of a node, with limits on time and size. */
export function createJsonRpc({ url, timeoutMs, signal }: JsonRpcOptions): JsonRpc {
  let lastId = 0;
  return async (method, params) => {
    lastId += 1;
    const id = lastId;
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const reply = await post(url, body, timeoutMs, signal);
    const parsed = parseReply(reply.bytes);
    if (isRecord(parsed?.error)) throw refusalOf(parsed.error);
    if (reply.status !== 200) throw new NodeUnavailable(`The node replied with the HTTP status ${reply.status}.`);
    if (parsed?.id !== id || parsed.result === undefined) throw malformedReply();
    return parsed.result;
  };
}

/** @returns the error for a reply that no node would give */
export function malformedReply(): NodeUnavailable {
  return new NodeUnavailable('The node sent an invalid reply.');
}

async function post(url: string, body: Uint8Array, timeoutMs: number, signal: AbortSignal) {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const limits = { timeoutMs, maxBytes: MAX_REPLY_BYTES, signal };
    return await boundedRequest(url, { method: 'POST', body, headers, namedBy: 'operator', ...limits });
  } catch (error) {
    if (error instanceof OutboundError) throw new NodeUnavailable(error.message, error.kind === 'too_large');
    throw error;
  }
}

function parseReply(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const reply: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(reply) ? reply : null;
  } catch {
    return null;
  }
}

function refusalOf({ code, message }: Readonly<Record<string, unknown>>): Error {
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return malformedReply();
  if (RATE_LIMITS.includes(code)) return new NodeUnavailable(`The node limits the requests (${code}).`);
  return new NodeRefusal(code, cleanMessage(typeof message === 'string' ? message : ''));
}

/** Hides what can be an address of the node, a key, a signed transaction or a token. */
function cleanMessage(message: string): string {
  const line = cleanText(message, 2 * MAX_MESSAGE_LENGTH)
    .replace(/\S*:\/\/\S*/g, '[address]')
    .replace(/[\w+/=-]{24,}/g, '[…]');
  return cleanText(line, MAX_MESSAGE_LENGTH);
}
