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
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  /** Stops listening to the caller's signal, after the whole reply was read. */
  finish(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  async #send({ path, headers, body }: PreparedRequest): Promise<Response> {
    const { baseUrl, readKey, fetch } = this.#settings;
    const key = await readKey();
    try {
      return await fetch(`${baseUrl}${path}`, {
        method: this.#operation.method,
        headers: key === null ? headers : { ...headers, authorization: `Bearer ${key}` },
        body,
        // The service does not redirect. A redirect could send the request, with its data, to another site.
        redirect: 'manual',
        signal: this.#controller.signal,
      });
    } catch (error) {
      throw this.explain(error);
    }
  }

  /** Returns the error to throw for a failure of the connection: the reason of the caller's signal if that has aborted. */
  explain(cause: unknown): unknown {
    const { id: operation } = this.#operation;
    if (this.#signal?.aborted) return this.#signal.reason;
    if (this.#hasTimedOut) return new TimeoutError('The service did not reply in time.', { operation, cause });
    return new ConnectionError('The connection to the service failed.', { operation, cause });
  }
}
