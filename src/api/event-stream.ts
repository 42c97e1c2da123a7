import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidLastEventId, tooManyStreams } from './faults.ts';
import { networkOf } from './limits/network.ts';

const KEEP_ALIVE_MS = 15_000;
const RECONNECT_MS = 2_000;
const MAX_STREAMS_PER_CALLER = 10;

/** How long the service waits, when it stops, for a slow client to read the data that was already written. */
const STOP_GRACE_MS = 250;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Otherwise nginx buffers the events.
  'x-accel-buffering': 'no',
};

export interface StreamEvent {
  /** A client that reconnects sends the id of the last event it received as Last-Event-ID. */
  readonly id: string | number;
  readonly kind: string;
  readonly data: unknown;
}

/** Returns the events to send. The signal aborts when the client disconnects and when the service stops. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<StreamEvent>;

export interface StreamOptions {
  readonly keepAliveMs?: number;
  /** Called about every `keepAliveMs`, because the permissions of a caller can change while the stream is open. */
  readonly canContinue?: () => Promise<boolean>;
}

/** A stream of server-sent events. */
export class EventStream {
  readonly #source: EventSource;
  readonly #keepAliveMs: number;
  readonly #canContinue: () => Promise<boolean>;

  /** @example return new EventStream((signal) => watchEvents(parts, id, parseLastEventId(call.lastEventId), signal)); */
  constructor(
    source: EventSource,
    { keepAliveMs = KEEP_ALIVE_MS, canContinue = async () => true }: StreamOptions = {},
  ) {
    this.#source = source;
    this.#keepAliveMs = keepAliveMs;
    this.#canContinue = canContinue;
  }

  /**
   * Returns when the source has ended, the signal aborts or the app stops, for code that waits for the end within the
   * service. The wait is an open stream of the caller. Returns immediately if the caller has too many of them.
   */
  async waitForEnd(reply: FastifyReply, open: OpenStreams, signal: AbortSignal): Promise<void> {
    const caller = callerKey(reply.request);
    if (!open.hasRoom(caller)) return;
    const stream = open.add(caller, reply);
    try {
      const end = AbortSignal.any([signal, stream.signal]);
      for await (const _ of this.#source(end)) if (end.aborted) return;
    } finally {
      stream.close();
    }
  }

  /** Starts the stream. Throws a fault before the source is read if the caller has too many open streams. */
  send(reply: FastifyReply, open: OpenStreams): FastifyReply {
    const { signal, close } = open.add(callerKey(reply.request), reply);
    const body = Readable.from(this.#frames(signal, reply), { objectMode: false });
    // The events of the body would come too late: the body ends only after its source, and the source ends only when
    // the signal aborts. A listener that is added to the response here could miss an early disconnection.
    finished(reply.raw, () => {
      close();
      body.destroy();
    });
    return reply.headers(HEADERS).send(body);
  }

  /** Yields the frames of the body. They are read only as fast as the client reads, so a slow client needs no buffer. */
  async *#frames(signal: AbortSignal, { log }: FastifyReply): AsyncGenerator<string> {
    yield `retry: ${RECONNECT_MS}\n\n`;
    if (signal.aborted) return;
    let events: AsyncIterator<StreamEvent> | undefined;
    try {
      events = this.#source(signal)[Symbol.asyncIterator]();
      let next: Promise<IteratorResult<StreamEvent>> | null = null;
      let checkedAt = performance.now();
      while (!signal.aborted) {
        next ??= events.next();
        const result = await withIdleTimeout(next, this.#keepAliveMs, signal);
        if (signal.aborted || result?.done) return;
        if (result) next = null;
        if (!result || performance.now() - checkedAt >= this.#keepAliveMs) {
          if (!(await this.#canContinue()) || signal.aborted) return;
          checkedAt = performance.now();
        }
        yield result ? formatFrame(result.value) : ': keep-alive\n\n';
      }
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'event stream failed');
      yield ERROR_FRAME;
    } finally {
      // The promise is not awaited, because the source may still be busy.
      events?.return?.().catch((error) => log.error({ err: error }, 'event source failed to close'));
    }
  }
}

/** This frame has no id, so that the client resumes after the last event it received. */
const ERROR_FRAME = `event: error\ndata: ${JSON.stringify({ code: 'INTERNAL', message: 'The stream was interrupted. Reconnect to resume it.' })}\n\n`;

function formatFrame({ id, kind, data }: StreamEvent): string {
  // A line break would begin another field.
  if (/[\r\n\0]/.test(`${id}${kind}`)) throw new Error('The id or kind of an event contains a line break.');
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Resolves to the value of the promise, or to null after `ms` milliseconds or when the signal aborts. */
function withIdleTimeout<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const idle = () => settle(() => resolve(null));
    const timer = setTimeout(idle, ms);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', idle);
      how();
    };
    signal.addEventListener('abort', idle);
    promise.then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

function callerKey({ principal, ip }: FastifyRequest): string {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : networkOf(ip);
}

interface OpenStream {
  readonly reply: FastifyReply;
  readonly controller: AbortController;
}

/**
 * The open streams of an app. Limits their number per caller, and ends them when the app stops, because they would keep
 * it running.
 */
export class OpenStreams {
  readonly #byCaller = new Map<string, Set<OpenStream>>();
  #stopping = false;

  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#stopping = true;
      for (const streams of this.#byCaller.values()) for (const stream of streams) endStream(stream);
      done();
    });
  }

  hasRoom(caller: string): boolean {
    return (this.#byCaller.get(caller)?.size ?? 0) < MAX_STREAMS_PER_CALLER;
  }

  add(caller: string, reply: FastifyReply): { readonly signal: AbortSignal; readonly close: () => void } {
    if (!this.hasRoom(caller)) throw tooManyStreams(MAX_STREAMS_PER_CALLER);
    const streams = this.#byCaller.get(caller) ?? new Set();
    const stream = { reply, controller: new AbortController() };
    this.#byCaller.set(caller, streams.add(stream));
    if (this.#stopping) endStream(stream);
    const close = () => {
      stream.controller.abort();
      streams.delete(stream);
      if (streams.size === 0 && this.#byCaller.get(caller) === streams) this.#byCaller.delete(caller);
    };
    return { signal: stream.controller.signal, close };
  }
}

function endStream({ reply: { raw }, controller }: OpenStream): void {
  controller.abort();
  const timer = setTimeout(() => raw.destroy(), STOP_GRACE_MS);
  raw.once('close', () => clearTimeout(timer));
}

const MAX_EVENT_NUMBER = 2 ** 31 - 1;

/** Returns the number of the last event that the client received, from Last-Event-ID, or 0 if the header is missing. */
export function parseLastEventId(lastEventId: string | null): number {
  if (lastEventId === null) return 0;
  const number = /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (number <= MAX_EVENT_NUMBER) return number;
  throw invalidLastEventId();
}
