import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { outboundSpan } from './outbound-span.ts';
import { explainFailure, sendable, webAddress } from './request-parts.ts';

export interface OutboundGet {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For the whole of it, the body included. */
  readonly timeoutMs: number;
  /** Of the body, after decompression. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Asks another machine, with bounds on everything it might do to us. Follows no redirect: the next address could be
 * anywhere, and credentials would travel along. Any status is a reply; what is none throws `OutboundError`.
 *
 * @example const { status, text } = await boundedGet(url, { timeoutMs: 10_000, mostBytes: 1_000_000 });
 */
export async function boundedGet(url: string, options: OutboundGet): Promise<OutboundReply> {
  if (options.signal?.aborted) throw new OutboundError('aborted');
  const headers = sendable(options.headers);
  const address = webAddress(url);
  return traced(outboundSpan(address), async (span) => {
    const reply = await ask(address, headers, options);
    span?.set({ 'http.response.status_code': reply.status });
    return reply;
  });
}

async function ask(
  address: URL,
  headers: Headers,
  { timeoutMs, mostBytes, signal }: OutboundGet,
): Promise<OutboundReply> {
  const stop = new AbortController();
  let stoppedBy: OutboundFault | undefined;
  const stopBecause = (fault: OutboundFault) => {
    stoppedBy ??= fault;
    stop.abort();
  };
  const onAbort = () => stopBecause('aborted');
  const timer = setTimeout(() => stopBecause('timeout'), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  let failure: OutboundFault = 'unreachable';
  try {
    const response = await fetch(address, { headers, redirect: 'error', signal: stop.signal });
    failure = 'truncated';
    const bytes = await readBytes(response, mostBytes);
    return { status: response.status, headers: response.headers, text: decode(bytes) };
  } catch (error) {
    if (stoppedBy !== undefined) throw new OutboundError(stoppedBy);
    throw error instanceof OutboundError ? error : explainFailure(error, failure);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Closes the connection of a body that nobody reads to its end.
    stop.abort();
  }
}

async function readBytes(response: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new OutboundError('too_large');
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
