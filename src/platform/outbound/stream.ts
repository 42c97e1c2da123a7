import { traced } from '../telemetry/index.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { outboundSpan } from './outbound-span.ts';
import { explainFailure, sendable, webAddress } from './request-parts.ts';

export interface OutboundStreamOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The longest silence, before the reply and within it. Time that the reader takes does not count. */
  readonly stallMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes as they were sent. Can be read once, and its reader bounds how many it takes. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * `boundedGet` for what is too large to hold: bounded by silence rather than by time, read piece by piece. It follows
 * no redirect either, but gives it back as a reply, for a caller that knows where it may lead. Dispose of it to close
 * the connection.
 *
 * @example await using reply = await openStream(url, { stallMs: 30_000 });
 */
export async function openStream(url: string, options: OutboundStreamOptions): Promise<OutboundStream> {
  const { stallMs, signal } = options;
  if (signal?.aborted) throw new OutboundError('aborted');
  const headers = sendable(options.headers);
  // Compressed on the way, a part of a file could neither be counted nor continued. With a range fetch asks for it itself.
  if (!headers.has('range')) headers.set('accept-encoding', 'identity');
  const address = webAddress(url);

  const stop = new AbortController();
  let stoppedBy: OutboundFault | undefined;
  const stopBecause = (fault: OutboundFault) => {
    stoppedBy ??= fault;
    stop.abort();
  };
  const onAbort = () => stopBecause('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const close = async () => {
    signal?.removeEventListener('abort', onAbort);
    stop.abort();
  };

  async function patiently<Result>(step: () => Promise<Result>, failure: OutboundFault): Promise<Result> {
    const timer = setTimeout(() => stopBecause('timeout'), stallMs);
    try {
      return await step();
    } catch (error) {
      await close();
      throw stoppedBy === undefined ? explainFailure(error, failure) : new OutboundError(stoppedBy);
    } finally {
      clearTimeout(timer);
    }
  }

  async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    while (reader !== undefined) {
      const { done, value } = await patiently(() => reader.read(), 'truncated');
      if (done) return;
      yield value;
    }
  }

  // Until the head of the reply: how long the rest takes is up to its reader.
  const response = await traced(outboundSpan(address), async (span) => {
    const send = () => fetch(address, { headers, redirect: 'manual', signal: stop.signal });
    const reply = await patiently(send, 'unreachable');
    span?.set({ 'http.response.status_code': reply.status });
    return reply;
  });
  if (/^(identity)?$/i.test(response.headers.get('content-encoding') ?? '')) {
    const { status } = response;
    return { status, headers: response.headers, chunks: chunksOf(response), [Symbol.asyncDispose]: close };
  }
  await close();
  throw new OutboundError('encoded');
}
