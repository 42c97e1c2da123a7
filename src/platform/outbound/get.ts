import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { buildHeaders, describeOutboundSpan, parseWebAddress, toOutboundError } from './request.ts';

export interface OutboundGet {
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
 * @example const { status, text } = await boundedGet(url, { timeoutMs: 10_000, maxBytes: 1_000_000 });
 */
export async function boundedGet(url: string, options: OutboundGet): Promise<OutboundReply> {
  if (options.signal?.aborted) throw new OutboundError('aborted');
  const headers = buildHeaders(options.headers);
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
  { timeoutMs, maxBytes, signal }: OutboundGet,
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
    const response = await fetch(address, { headers, redirect: 'error', signal: stop.signal });
    failure = 'truncated';
    const bytes = await readBytes(response, maxBytes);
    return { status: response.status, headers: response.headers, text: decode(bytes) };
  } catch (error) {
    if (stoppedBy !== undefined) throw new OutboundError(stoppedBy);
    throw error instanceof OutboundError ? error : toOutboundError(error, failure);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Closes the connection of a body that is not read to its end.
    stop.abort();
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
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
