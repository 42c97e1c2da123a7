import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { buildHeaders, describeOutboundSpan, parseWebAddress, REDIRECTS, toOutboundError } from './request.ts';
import { type Destination, headersOf, sendGet } from './send.ts';

export interface OutboundGet extends Destination {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The time limit of the whole request, including the body. */
  readonly timeoutMs: number;
  /** Maximum size of the body after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a GET request with limits on its time and size. It does not follow redirects, because the next address could be
 * anywhere and would receive the credentials. Returns a reply with any status. Throws `OutboundError` for any failure.
 *
 * @example const { status, text } = await boundedGet(url, { namedBy: 'operator', timeoutMs: 10_000, maxBytes: 1_000_000 });
 */
export async function boundedGet(url: string, options: OutboundGet): Promise<OutboundReply> {
  if (options.signal?.aborted) throw new OutboundError('aborted');
  const headers = buildHeaders(options.headers);
  headers.set('accept-encoding', 'gzip, deflate, br');
  const address = parseWebAddress(url);
  return traced(describeOutboundSpan(address), async (span) => {
    const reply = await send(address, headers, options);
    span?.set({ 'http.response.status_code': reply.status });
    return reply;
  });
}

async function send(
  address: URL,
  headers: Headers,
  { timeoutMs, maxBytes, signal, ...destination }: OutboundGet,
): Promise<OutboundReply> {
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
    const reply = await sendGet(address, { ...destination, headers, signal: stop.signal });
    const { statusCode: status = 0 } = reply;
    if (REDIRECTS.includes(status)) throw new OutboundError('malformed');
    failure = 'truncated';
    const bytes = await readBytes(decompressed(reply), maxBytes);
    return { status, headers: headersOf(reply), text: decode(bytes) };
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

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OutboundError('malformed');
  }
}
