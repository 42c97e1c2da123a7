import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../contract/index.ts';
import { networkOf } from './limits/network-of.ts';

const KEEP_ALIVE_MS = 15_000;
const RECONNECT_MS = 2_000;
const STREAMS_PER_CALLER = 10;

/** How long a stop leaves a client to take what was written before, where it reads slowly. */
const STOP_GRACE_MS = 250;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would hold back what it thinks is worth collecting.
  'x-accel-buffering': 'no',
};

export interface StreamEvent {
  /** Sent back as Last-Event-ID by a client that reconnects. */
  readonly id: string | number;
  readonly kind: string;
  readonly data: unknown;
}

/** Gives the events to send. The signal aborts when the client has gone and when the service stops. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<StreamEvent>;

export interface StreamOptions {
  readonly keepAliveMs?: number;
  /** Asked once in each `keepAliveMs`, silent or not: what a caller may see can change while it watches. */
  readonly mayGoOn?: () => Promise<boolean>;
}

/** An answer that goes on: server-sent events, as they happen. */
export class EventStream {
  readonly #source: EventSource;
  readonly #keepAliveMs: number;
  readonly #mayGoOn: () => Promise<boolean>;

  /** @example return new EventStream((signal) => watchEvents(parts, id, lastEventNumber(call.lastEventId), signal)); */
  constructor(source: EventSource, { keepAliveMs = KEEP_ALIVE_MS, mayGoOn = async () => true }: StreamOptions = {}) {
    this.#source = source;
    this.#keepAliveMs = keepAliveMs;
    this.#mayGoOn = mayGoOn;
  }

  /** Refuses a caller that has too many open; otherwise nothing is asked of the source before this. */
  send(reply: FastifyReply, open: OpenStreams): FastifyReply {
    const { signal, close } = open.add(callerOf(reply.request), reply);
    const body = Readable.from(this.#frames(signal, reply), { objectMode: false });
    // Not an event of the body: that lets go only when the source has ended, which must be told first. And not an event
    // of the response: it may have come already, from a client that left before its answer.
    finished(reply.raw, () => {
      close();
      body.destroy();
    });
    return reply.headers(HEADERS).send(body);
  }

  /** The body reads on only when there is room for more, so what waits for a slow client waits at the source. */
  async *#frames(signal: AbortSignal, { log }: FastifyReply): AsyncGenerator<string> {
    yield `retry: ${RECONNECT_MS}\n\n`;
    if (signal.aborted) return;
    let events: AsyncIterator<StreamEvent> | undefined;
    try {
      events = this.#source(signal)[Symbol.asyncIterator]();
      let next: Promise<IteratorResult<StreamEvent>> | null = null;
      let askedAt = performance.now();
      while (!signal.aborted) {
        next ??= events.next();
        const result = await orIdle(next, this.#keepAliveMs, signal);
        if (signal.aborted || result?.done) return;
        if (result) next = null;
        if (!result || performance.now() - askedAt >= this.#keepAliveMs) {
          if (!(await this.#mayGoOn()) || signal.aborted) return;
          askedAt = performance.now();
        }
        yield result ? frameOf(result.value) : ': keep-alive\n\n';
      }
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'event stream failed');
      yield BROKEN;
    } finally {
      // Not awaited: a source that is in the middle of something ends after that, and nobody needs to wait for it.
      events?.return?.().catch((error) => log.error({ err: error }, 'event source did not end well'));
    }
  }
}

/** No id: the client goes on after the last event that it got. */
const BROKEN = `event: error\ndata: ${JSON.stringify({ code: 'INTERNAL', message: 'The stream broke off. Connect again to go on.' })}\n\n`;

function frameOf({ id, kind, data }: StreamEvent): string {
  // A line break would begin a field of its own.
  if (/[\r\n\0]/.test(`${id}${kind}`)) throw new Error('The id or the kind of an event has a line break in it.');
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** What was promised, or null when it takes longer than `ms` or the signal aborts. Leaves no timer or listener behind. */
function orIdle<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | null> {
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

function callerOf({ principal, ip }: FastifyRequest): string {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : networkOf(ip);
}

interface OpenStream {
  readonly reply: FastifyReply;
  readonly controller: AbortController;
}

/** The streams that one app has open: counted by caller, and ended when the app stops, which would wait for them. */
export class OpenStreams {
  readonly #byCaller = new Map<string, Set<OpenStream>>();
  #stopping = false;

  constructor(app: FastifyInstance) {
    app.addHook('preClose', (done) => {
      this.#stopping = true;
      for (const streams of this.#byCaller.values()) for (const stream of streams) end(stream);
      done();
    });
  }

  add(caller: string, reply: FastifyReply): { readonly signal: AbortSignal; readonly close: () => void } {
    const streams = this.#byCaller.get(caller) ?? new Set();
    if (streams.size >= STREAMS_PER_CALLER) {
      throw new Fault('RATE_LIMITED', `At most ${STREAMS_PER_CALLER} event streams at a time. Close one first.`);
    }
    const stream = { reply, controller: new AbortController() };
    this.#byCaller.set(caller, streams.add(stream));
    if (this.#stopping) end(stream);
    const close = () => {
      stream.controller.abort();
      streams.delete(stream);
      if (streams.size === 0 && this.#byCaller.get(caller) === streams) this.#byCaller.delete(caller);
    };
    return { signal: stream.controller.signal, close };
  }
}

function end({ reply: { raw }, controller }: OpenStream): void {
  controller.abort();
  const timer = setTimeout(() => raw.destroy(), STOP_GRACE_MS);
  raw.once('close', () => clearTimeout(timer));
}

const LARGEST_NUMBER = 2 ** 31 - 1;

/** The number of the last event that a client got, as it says in Last-Event-ID; 0 for one that begins. */
export function lastEventNumber(lastEventId: string | null): number {
  if (lastEventId === null) return 0;
  const number = /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (number <= LARGEST_NUMBER) return number;
  throw new Fault('INVALID_REQUEST', 'Last-Event-ID: must be the id of an event of this stream, a whole number.');
}
