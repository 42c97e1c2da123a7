import type { IncomingMessage } from 'node:http';
import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { buildHeaders, describeOutboundSpan, parseWebAddress, toOutboundError } from './request.ts';
import { type Destination, headersOf, readChunks, sendRequest } from './send.ts';

export interface OutboundStreamOptions extends Destination {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the server may be silent before and during the reply. The time that the reader takes does not count. */
  readonly stallMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes of the body. They can be read once, and the reader must limit their number. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Sends a GET request for a reply that is too large for memory. Unlike with `boundedGet`, the reply is read in chunks,
 * and the time limit applies to the server's silence and not to the whole request. A redirect is returned as a reply,
 * so that the caller can check where it leads. Dispose of the reply to close the connection.
 *
 * @example await using reply = await openStream(url, { namedBy: 'operator', stallMs: 30_000 });
 */
export async function openStream(url: string, options: OutboundStreamOptions): Promise<OutboundStream> {
  const { stallMs, signal, namedBy, allow, lookup } = options;
  if (signal?.aborted) throw new OutboundError('aborted');
  const headers = buildHeaders(options.headers);
  // A compressed reply could not be resumed, and its bytes could not be counted.
  headers.set('accept-encoding', 'identity');
  const address = parseWebAddress(url);

  const stop = new AbortController();
  let stoppedBy: OutboundFault | undefined;
  const stopWith = (fault: OutboundFault) => {
    stoppedBy ??= fault;
    stop.abort();
  };
  const onAbort = () => stopWith('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const close = async () => {
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  };

  async function withStallTimeout<Result>(step: () => Promise<Result>, failure: OutboundFault): Promise<Result> {
    const timer = setTimeout(() => stopWith('timeout'), stallMs);
    try {
      return await step();
    } catch (error) {
      await close();
      throw stoppedBy === undefined ? toOutboundError(error, failure) : new OutboundError(stoppedBy);
    } finally {
      clearTimeout(timer);
    }
  }

  async function* chunksOf(reply: IncomingMessage): AsyncGenerator<Uint8Array> {
    const reader = readChunks(reply);
    for (;;) {
      const { done, value } = await withStallTimeout(() => reader.next(), 'truncated');
      if (done) return;
      yield value;
    }
  }

  // The span ends with the headers of the reply, because the duration of the body depends on the reader.
  const reply = await traced(describeOutboundSpan(address), async (span) => {
    const send = () => sendRequest(address, { namedBy, allow, lookup, headers, signal: stop.signal });
    const received = await withStallTimeout(send, 'unreachable');
    span?.set({ 'http.response.status_code': received.statusCode ?? 0 });
    return received;
  });
  if (/^(identity)?$/i.test(reply.headers['content-encoding'] ?? '')) {
    const { statusCode: status = 0 } = reply;
    return { status, headers: headersOf(reply), chunks: chunksOf(reply), [Symbol.asyncDispose]: close };
  }
  await close();
  throw new OutboundError('encoded');
}
