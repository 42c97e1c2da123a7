import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { buildHeaders, describeOutboundSpan, parseWebAddress, REDIRECTS, toOutboundError } from './request.ts';
import { type Destination, headersOf, type Method, sendRequest } from './send.ts';

export interface OutboundGet extends Destination {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The time limit of the whole request, including the body. */
  readonly timeoutMs: number;
  /** Maximum size of the body of the reply after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundRequest extends OutboundGet {
  /** Default: GET. */
  readonly method?: Method | undefined;
  /** The body of a POST or PUT request. */
  readonly body?: Uint8Array | undefined;
  /**
   * Set if only the status matters. A redirect is then a reply like any other, and `bytes` has what arrived of a body that
   * is too large, invalid, late or ends early. Default: false.
   */
  readonly acceptsAnyReply?: boolean | undefined;
}

export interface OutboundBytes {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface OutboundReply extends Omit<OutboundBytes, 'bytes'> {
  readonly text: string;
}

/** Far above any body that this service sends. */
const MAX_SENT_BYTES = 8 * 1024 * 1024;

/**
 * Sends a GET request with limits on its time and size, like `boundedRequest`, and returns a reply whose body is text.
 *
 * @example const { status, text } = await boundedGet(url, { namedBy: 'operator', timeoutMs: 10_000, maxBytes: 1_000_000 });
 */
export async function boundedGet(url: string, options: OutboundGet): Promise<OutboundReply> {
  const { bytes, ...reply } = await boundedRequest(url, options);
  return { ...reply, text: decodeText(bytes) };
}

/**
 * Sends a request with limits on its time and size. It does not follow redirects, because the next address could be
 * anywhere and would receive the credentials and the body. Returns a reply with any status. Throws `OutboundError` for
 * any failure.
 *
 * @example
 * const body = Buffer.from(JSON.stringify(query));
 * await boundedRequest(url, { method: 'POST', body, namedBy: 'operator', timeoutMs: 10_000, maxBytes: 1_000_000 });
 */
export async function boundedRequest(url: string, options: OutboundRequest): Promise<OutboundBytes> {
  if (options.signal?.aborted) throw new OutboundError('aborted');
  if ((options.body?.byteLength ?? 0) > MAX_SENT_BYTES) throw new RangeError('The body of this request is too large.');
  const headers = buildHeaders(options.headers);
  headers.set('accept-encoding', 'gzip, deflate, br');
  const address = parseWebAddress(url);
  return traced(describeOutboundSpan(address, options.method), async (span) => {
    const reply = await send(address, headers, options);
    span?.set({ 'http.response.status_code': reply.status });
    return reply;
  });
}

async function send(
  address: URL,
  headers: Headers,
  { timeoutMs, maxBytes, signal, acceptsAnyReply = false, ...request }: OutboundRequest,
): Promise<OutboundBytes> {
  const stop = new AbortController();
  let stoppedBy: OutboundFault | undefined;
  const stopWith = (fault: OutboundFault) => {
    stoppedBy ??= fault;
    stop.abort();
  };
  const onAbort = () => stopWith('aborted');
  const timer = setTimeout(() => stopWith('timeout'), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  let failure: OutboundFault = 'unreachable';
  try {
    const reply = await sendRequest(address, { ...request, headers, signal: stop.signal });
    const { statusCode: status = 0 } = reply;
    if (acceptsAnyReply) return { status, headers: headersOf(reply), bytes: await readBeginning(reply, maxBytes) };
    if (REDIRECTS.includes(status)) throw new OutboundError('malformed');
    failure = 'truncated';
    return { status, headers: headersOf(reply), bytes: await readBytes(decompressed(reply), maxBytes) };
  } catch (error) {
    if (stoppedBy !== undefined) throw new OutboundError(stoppedBy);
    throw toOutboundError(error, failure);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Closes the connection of a body that is not read to its end.
    stop.abort();
  }
}

const DECOMPRESS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

function decompressed(reply: IncomingMessage): Readable {
  const encoding = (reply.headers['content-encoding'] ?? '').trim().toLowerCase();
  const create = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding as keyof typeof DECOMPRESS] : undefined;
  // The reader gets the error, because the pipeline passes it on.
  return create === undefined ? reply : pipeline(reply, create(), () => {});
}

async function readBytes(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new OutboundError('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the first bytes of a body, or those before it fails. */
async function readBeginning(reply: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decompressed(reply) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= maxBytes) break;
    }
  } catch {
    // The status has arrived, and the caller needs no more.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Decodes UTF-8. Throws `OutboundError` for anything else. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OutboundError('malformed');
  }
}
