import { finished } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { invalidLastEventId } from './faults.ts';
import { ERROR_FRAME, type OpenStream, type OpenStreams, StreamBody, type Watcher } from './open-streams.ts';

const RECONNECT_MS = 2_000;

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

/** A stream of server-sent events. */
export class EventStream {
  readonly #source: EventSource;
  readonly #watcher: Watcher | undefined;

  /**
   * @param watcher the caller whose permissions are checked while the stream is open, if any are
   * @example return new EventStream((signal) => watchEvents(parts, id, parseLastEventId(call.lastEventId), signal));
   */
  constructor(source: EventSource, watcher?: Watcher) {
    this.#source = source;
    this.#watcher = watcher;
  }

  /**
   * Returns when the source has ended, the signal aborts or the app stops, for code that waits for the end within the
   * service. The wait is an open stream of the caller. Returns immediately if there are too many of them.
   */
  async waitForEnd(reply: FastifyReply, open: OpenStreams, signal: AbortSignal): Promise<void> {
    if (open.findObstacle(reply.request) !== null) return;
    const { stream, close } = open.add(reply);
    try {
      const end = AbortSignal.any([signal, stream.signal]);
      for await (const _ of this.#source(end)) if (end.aborted) return;
    } finally {
      close();
    }
  }

  /** Starts the stream. Throws a fault before the source is read if there are too many open streams. */
  send(reply: FastifyReply, open: OpenStreams): FastifyReply {
    const { stream, close } = open.add(reply, this.#watcher);
    const body = new StreamBody();
    stream.body = body;
    // The events of the body would come too late: the body ends only after its source, and the source ends only when
    // the signal aborts. A listener that is added to the response here could miss an early disconnection.
    finished(reply.raw, () => {
      close();
      body.destroy();
    });
    void this.#fill(body, stream);
    return reply.headers(HEADERS).send(body);
  }

  /** Adds the frames to the body. They are read only as fast as the client reads, so a slow client needs no buffer. */
  async #fill(body: StreamBody, { signal, reply: { log } }: OpenStream): Promise<void> {
    body.push(`retry: ${RECONNECT_MS}\n\n`);
    let events: AsyncIterator<StreamEvent> | undefined;
    try {
      events = this.#source(signal)[Symbol.asyncIterator]();
      while (!signal.aborted) {
        const result = await untilAborted(events.next(), signal);
        if (signal.aborted || result === null || result.done) break;
        await body.add(formatFrame(result.value));
      }
    } catch (error) {
      if (!signal.aborted) {
        log.error({ err: error }, 'event stream failed');
        body.push(ERROR_FRAME);
      }
    } finally {
      body.end();
      // The promise is not awaited, because the source may still be busy.
      events?.return?.().catch((error) => log.error({ err: error }, 'event source failed to close'));
    }
  }
}

function formatFrame({ id, kind, data }: StreamEvent): string {
  // A line break would begin another field.
  if (/[\r\n\0]/.test(`${id}${kind}`)) throw new Error('The id or kind of an event contains a line break.');
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Resolves to the value of the promise, or to null when the signal aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(null);
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

const MAX_EVENT_NUMBER = 2 ** 31 - 1;

/** Returns the number of the last event that the client received, from Last-Event-ID, or 0 if the header is missing. */
export function parseLastEventId(lastEventId: string | null): number {
  if (lastEventId === null) return 0;
  const number = /^\d{1,10}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (number <= MAX_EVENT_NUMBER) return number;
  throw invalidLastEventId();
}
