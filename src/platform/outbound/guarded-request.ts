import { boundedRequest, decodeText, type OutboundBytes, type OutboundReply } from './bounded-request.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { checkLiteralAddress } from './public-address.ts';
import { parseWebAddress } from './request.ts';
import type { Destination, Method } from './send.ts';

export interface GuardedGet {
  /** The ranges of addresses that are accepted although they are not public, also by http: `config.outboundAllow`. */
  readonly allow: readonly string[];
  /** The time limit of the whole request, including the body. Default: 10 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of the body of the reply after decompression. Default: 64 KiB. */
  readonly maxBytes?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly lookup?: Destination['lookup'];
}

export interface GuardedRequest extends GuardedGet {
  /** Default: GET. */
  readonly method?: Method | undefined;
  /** The body of a POST request. */
  readonly body?: Uint8Array | undefined;
  /** See `OutboundRequest`. */
  readonly acceptsAnyReply?: boolean | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/**
 * Sends a GET request to an address that a caller or another server named, like `guardedRequest`, and returns a reply
 * whose body is text.
 *
 * @example const { status, text } = await guardedGet(clientId, { allow: config.outboundAllow });
 */
export async function guardedGet(url: string, options: GuardedGet): Promise<OutboundReply> {
  const { bytes, ...reply } = await guardedRequest(url, options);
  return { ...reply, text: decodeText(bytes) };
}

/**
 * Sends a request to an address that a caller or another server named. It uses https and connects only to the public
 * internet or, also by http, to the ranges in `allow`: every address of the name is checked, and the connection is made
 * to the addresses that were checked. It does not follow redirects. Returns a reply with any status. Throws
 * `OutboundError` for any failure.
 */
export function guardedRequest(url: string, options: GuardedRequest): Promise<OutboundBytes> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  return boundedRequest(url, { ...options, timeoutMs, maxBytes, namedBy: 'others' });
}

/**
 * Returns why a guarded request to a URL would be refused before its name is resolved, or null. Use it to refuse a URL when
 * it is entered; each request checks it again.
 */
export function checkNamedUrl(url: string, allow: readonly string[]): OutboundFault | null {
  try {
    const address = parseWebAddress(url);
    checkLiteralAddress(address, { allow, isEncrypted: address.protocol === 'https:' });
    return null;
  } catch (error) {
    if (error instanceof OutboundError) return error.kind;
    throw error;
  }
}
