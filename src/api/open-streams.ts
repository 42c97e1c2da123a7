import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account, Guest } from '../access/index.ts';
import { tooManyOpenStreams, tooManyStreams } from './faults.ts';
import { networkOf } from './limits/network.ts';

/** How often keep-alives are sent, and the permissions of the callers are checked. */
export const KEEP_ALIVE_MS = 15_000;
const MAX_STREAMS_PER_CALLER = 10;

/** The bytes of a stream that wait in the service for a slow client, in addition to those of its socket. */
const BUFFER_BYTES = 16 * 1024;

/** How long the service waits, when it ends a stream, for a slow client to read the data that was already written. */
const STOP_GRACE_MS = 250;

/** The number of keep-alives that are sent without a pause for other work. */
const KEEP_ALIVES_AT_A_TIME = 250;

/** This frame has no id, so that the client resumes after the last event it received. */
export const ERROR_FRAME = `event: error\ndata: ${JSON.stringify({ code: 'INTERNAL', message: 'The stream was interrupted. Reconnect to resume it.' })}\n\n`;

/** A caller and the forecast that it watches, whose permissions are checked while the stream is open. */
export interface Watcher {
  readonly principal: Account | Guest;
  readonly forecastId: string;
}

export interface OpenStreamsOptions {
  readonly keepAliveMs?: number;
  /** The maximum number of streams of all callers. Default: no limit. */
  readonly maxStreams?: number;
  /** Returns which watchers may continue, in their order. Called about every `keepAliveMs` for all streams together. */
  readonly checkWatchers?: (watchers: readonly Watcher[]) => Promise<readonly boolean[]>;
}

/** The body of a stream. It buffers a bounded number of bytes. */
export class StreamBody extends Readable {
  #release: (() => void) | undefined;
  #hasEnded = false;

  constructor() {
    super({ highWaterMark: BUFFER_BYTES });
  }

  override _read(): void {
    this.release();
  }

  /** Adds a frame. Resolves when the reader can take more. */
  async add(frame: string): Promise<void> {
    if (this.push(frame) || this.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
    });
  }

  /** Ends the body after its frames. */
  end(): void {
    this.#hasEnded = true;
    if (!this.destroyed) this.push(null);
  }

  /** Adds a keep-alive, unless frames wait already. */
  keepAlive(): void {
    if (this.readableLength === 0 && !this.#hasEnded && !this.destroyed) this.push(': keep-alive\n\n');
  }

  /** Ends the wait of `add`. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.release();
    done(error);
  }
}

/** A stream that is open. */
export class OpenStream {
  readonly reply: FastifyReply;
  /** Undefined if the permissions of the caller are not checked. */
  readonly watcher: Watcher | undefined;
  readonly controller = new AbortController();
  body: StreamBody | undefined;
  #written = -1;

  constructor(reply: FastifyReply, watcher: Watcher | undefined) {
    this.reply = reply;
    this.watcher = watcher;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the stream regularly. A client that does not read is disconnected. */
  end(): void {
    const { raw } = this.reply;
    this.controller.abort();
    this.body?.release();
    const timer = setTimeout(() => raw.destroy(), STOP_GRACE_MS);
    raw.once('close', () => clearTimeout(timer));
  }

  fail(): void {
    this.body?.push(ERROR_FRAME);
    this.end();
  }

  /** Returns whether data waits for the client and the client has read nothing since the last call. */
  isStalled(): boolean {
    const { socket } = this.reply.raw;
    const isWaiting = this.body !== undefined && this.body.readableLength > 0;
    const isStalled = isWaiting && socket?.bytesWritten === this.#written;
    this.#written = isWaiting ? (socket?.bytesWritten ?? -1) : -1;
    return isStalled;
  }

  keepAlive(): void {
    if (!this.signal.aborted) this.body?.keepAlive();
  }
}

/**
 * The open streams of an app. Limits their number, checks the permissions of all callers together, sends keep-alives,
 * disconnects clients that do not read, and ends all streams when the app stops, because they would keep it running.
 */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #byCaller = new Map<string, Set<OpenStream>>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #isTending = false;
  #stopping = false;

  constructor(app: FastifyInstance, options: OpenStreamsOptions = {}) {
    this.#options = options;
    app.addHook('preClose', (done) => {
      this.#stopping = true;
      clearTimeout(this.#timer);
      for (const stream of this.#all()) stream.end();
      done();
    });
  }

  /** Returns why the caller of a request can have no further stream; null if it can. */
  findObstacle(request: FastifyRequest): Error | null {
    const { maxStreams = Number.POSITIVE_INFINITY } = this.#options;
    const ofCaller = this.#byCaller.get(callerKey(request))?.size ?? 0;
    if (ofCaller >= MAX_STREAMS_PER_CALLER) return tooManyStreams(MAX_STREAMS_PER_CALLER);
    return this.#count >= maxStreams ? tooManyOpenStreams() : null;
  }

  /** Adds a stream. Throws a fault if there are too many. */
  add(reply: FastifyReply, watcher?: Watcher): { readonly stream: OpenStream; readonly close: () => void } {
    const obstacle = this.findObstacle(reply.request);
    if (obstacle !== null) throw obstacle;
    const caller = callerKey(reply.request);
    const streams = this.#byCaller.get(caller) ?? new Set();
    const stream = new OpenStream(reply, watcher);
    this.#byCaller.set(caller, streams.add(stream));
    this.#count += 1;
    if (this.#stopping) stream.end();
    else this.#schedule();
    const close = () => {
      stream.controller.abort();
      if (!streams.delete(stream)) return;
      this.#count -= 1;
      if (streams.size === 0) this.#byCaller.delete(caller);
      if (this.#count > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
    return { stream, close };
  }

  *#all(): Generator<OpenStream> {
    for (const streams of this.#byCaller.values()) yield* streams;
  }

  #schedule(): void {
    if (this.#isTending) return;
    this.#timer ??= setTimeout(() => this.#tend(), this.#options.keepAliveMs ?? KEEP_ALIVE_MS);
  }

  async #tend(): Promise<void> {
    this.#timer = undefined;
    this.#isTending = true;
    const streams = [...this.#all()];
    for (const stream of streams) if (stream.isStalled()) this.#drop(stream);
    await this.#endLost(streams.filter(({ signal }) => !signal.aborted));
    for (const [index, stream] of streams.entries()) {
      stream.keepAlive();
      if (index % KEEP_ALIVES_AT_A_TIME === KEEP_ALIVES_AT_A_TIME - 1) await new Promise(setImmediate);
    }
    this.#isTending = false;
    if (this.#count > 0 && !this.#stopping) this.#schedule();
  }

  /** The client resumes after the last event that it received. */
  #drop({ reply }: OpenStream): void {
    reply.log.info('an event stream was ended, because its client does not read it');
    reply.raw.destroy();
  }

  /** Ends the streams whose callers may no longer watch. */
  async #endLost(streams: readonly OpenStream[]): Promise<void> {
    const { checkWatchers } = this.#options;
    const checked = streams.flatMap((stream) => {
      const { watcher } = stream;
      return watcher === undefined ? [] : [{ stream, watcher }];
    });
    if (checkWatchers === undefined || checked.length === 0) return;
    try {
      const results = await checkWatchers(checked.map(({ watcher }) => watcher));
      for (const [index, { stream }] of checked.entries()) if (results[index] !== true) stream.end();
    } catch (error) {
      checked[0]?.stream.reply.log.error({ err: error }, 'the permissions of event streams could not be checked');
      for (const { stream } of checked) stream.fail();
    }
  }
}

function callerKey({ principal, ip }: FastifyRequest): string {
  if (principal?.kind === 'account') return principal.accountId;
  return principal?.kind === 'guest' ? principal.guestId : networkOf(ip);
}
