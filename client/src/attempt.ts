import { ConnectionError, TimeoutError } from './errors.ts';
import type { Settings } from './options.ts';
import type { Operation, PreparedRequest } from './request.ts';

/** One attempt at a request, with its time limit. */
export class Attempt {
  readonly #operation: Operation;
  readonly #settings: Settings;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  readonly #abort = () => this.#controller.abort(this.#signal?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasTimedOut = false;

  constructor(operation: Operation, settings: Settings, signal: AbortSignal | undefined) {
    this.#operation = operation;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** Sends the request and reads the reply. The limit includes the time that `read` takes. */
  async run<Result>(request: PreparedRequest, read: (response: Response) => Promise<Result>): Promise<Result> {
    this.#signal?.throwIfAborted();
    this.#signal?.addEventListener('abort', this.#abort, { once: true });
    this.allow(this.#settings.timeoutMs);
    try {
      return await read(await this.#send(request));
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.allow(null);
    }
  }

  /** Sets the time limit from now on; null for none. */
  allow(ms: number | null): void {
    clearTimeout(this.#timer);
    if (ms === null) return;
    this.#timer = setTimeout(() => {
      this.#hasTimedOut = true;
      this.#controller.abort();
    }, ms);
  }

  /** Ends the attempt: nothing more of its reply is read. */
  close(): void {
    this.allow(null);
    this.finish();
    this.#controller.abort();
  }

  /** Stops listening to the caller's signal, after the whole reply was read. */
  finish(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  /** Waits for work on the reply. Throws the error that explains why it failed, also if the work ignores an abort. */
  async wait<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#controller;
    let stop: (() => void) | undefined;
    try {
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      });
      return await Promise.race([work, aborted]);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      if (stop) signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Returns the body of a reply that is read after the call. Reading fails if nothing arrives within the time limit of the
   * attempt, or when the caller's signal aborts. The attempt ends with the body.
   */
  guard(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      this.allow(this.#settings.timeoutMs);
      try {
        const { done, value } = await this.wait(reader.read());
        this.allow(null);
        if (!done) return controller.enqueue(value);
        this.finish();
        controller.close();
      } catch (error) {
        this.close();
        controller.error(error);
      }
    };
    return new ReadableStream({ pull, cancel: () => this.close() }, { highWaterMark: 0 });
  }

  async #send({ path, headers, body }: PreparedRequest): Promise<Response> {
    const { baseUrl, readKey, fetch } = this.#settings;
    // An error of the function that returns the key is the caller's own.
    const reading = readKey().then(
      (key) => ({ key }),
      (error: unknown) => ({ error }),
    );
    const read = await this.wait(reading);
    if ('error' in read) throw read.error;
    const credential = read.key === null || 'authorization' in headers ? {} : { authorization: `Bearer ${read.key}` };
    const init: RequestInit = {
      method: this.#operation.method,
      headers: { ...headers, ...credential },
      body,
      // The service does not redirect. A redirect could send the request, with its data, to another site.
      redirect: 'manual',
      signal: this.#controller.signal,
    };
    return this.wait(Promise.resolve(fetch(`${baseUrl}${path}`, init)));
  }

  /** Returns the error to throw for a failure of the connection: the reason of the caller's signal if that has aborted. */
  #explain(cause: unknown): unknown {
    const { id: operation } = this.#operation;
    if (this.#signal?.aborted) return this.#signal.reason;
    if (this.#hasTimedOut) return new TimeoutError('The service did not reply in time.', { operation, cause });
    return new ConnectionError('The connection to the service failed.', { operation, cause });
  }
}
