import { type Clock, systemClock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { retry, type Sleep, sleepUnlessAborted } from '../retry.ts';
import { boundedRequest, decodeText } from './bounded-request.ts';
import { FailedAttempt, type Failure, MAX_ATTEMPTS, readJson, readReply, toFailedAttempt } from './failed-attempt.ts';
import { isCausedByRequest, ProviderError, type ProviderFault } from './provider-error.ts';
import {
  type Admission,
  type CallOutcome,
  createProviderGate,
  type Permit,
  type ProviderGate,
} from './provider-gate.ts';

const FIRST_BACKOFF_MS = 250;
const DEFAULT_TOTAL_MS = 20_000;
const DEFAULT_ATTEMPT_MS = 10_000;
/** The longest wait for a time that the provider named earlier. A caller should not wait longer, as with an open breaker. */
const MAX_PAUSE_MS = 60_000;
/** Far above the largest known page, which is about 6 MiB for 50,000 bars. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum size of the reply after decompression. Default: 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** The time limit of one attempt. Default: 10 seconds. */
  readonly attemptMs?: number | undefined;
  /** Whether a POST request may be sent again, because sending it twice has the same effect as sending it once. */
  readonly isIdempotent?: boolean | undefined;
  /**
   * Whether a request that is under way when the signal aborts is completed and its reply accepted, so that what it has
   * started can be ended. A request that waits for its first or next attempt is not sent.
   */
  readonly survivesAbort?: boolean | undefined;
}

export interface ReadOptions<Value, Result> extends CallOptions {
  /**
   * Checks and converts the reply as a part of the call. A `ProviderError` that it throws is not retried. It is the
   * failure of the call: MALFORMED counts for the breaker, and faults that the request caused do not. Without it, the
   * reply is returned as it is.
   */
  readonly accept?: ((value: Value) => Result | Promise<Result>) | undefined;
}

/**
 * The HTTP client of an adapter. Every call is bounded, retried, counted against the provider's budget and refused while
 * the provider's breaker is open. A call throws a `ProviderError` unless the reply is successful. Keys belong in headers:
 * errors, logs and spans contain neither headers nor queries nor replies.
 */
export interface ProviderClient {
  getJson<Result = unknown>(url: string, options?: ReadOptions<unknown, Result>): Promise<Result>;
  getText<Result = string>(url: string, options?: ReadOptions<string, Result>): Promise<Result>;
  getBytes<Result = Buffer>(url: string, options?: ReadOptions<Buffer, Result>): Promise<Result>;
  /** Sends a body as JSON and returns the JSON of the reply. */
  postJson<Result = unknown>(url: string, body: unknown, options?: ReadOptions<unknown, Result>): Promise<Result>;
  /** Sends the fields of a form, or an empty body if there are none, and returns the JSON of the reply. */
  postForm<Result = unknown>(
    url: string,
    fields: Readonly<Record<string, string>>,
    options?: ReadOptions<unknown, Result>,
  ): Promise<Result>;
}

export interface ProviderClientOptions {
  readonly provider: string;
  /** Null if requests are not limited, as for a provider that needs no network. */
  readonly gate: ProviderGate | null;
  readonly signal?: AbortSignal | undefined;
  /**
   * The instant, in milliseconds since 1970, after which the client neither sends requests nor waits. Default: 20
   * seconds from now.
   */
  readonly deadline?: number | undefined;
  /** The time limit of one attempt, unless the call has its own. */
  readonly attemptMs?: number | undefined;
  /** Maximum size of a reply, unless the call has its own. */
  readonly maxBytes?: number | undefined;
  readonly sleep?: Sleep | undefined;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly request?: typeof boundedRequest;
}

export interface ClientParts {
  /** Holds the budgets and breakers of providers. Needed only for a provider with a budget. */
  readonly database?: Database;
  /**
   * A clock other than `systemClock` replaces the clock of the database for budgets and breakers, so that a simulation
   * can move them. Deadlines and pauses always pass in real time.
   */
  readonly clock?: Clock;
}

export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  /** The time limit of all requests together. Default: 20 seconds. */
  readonly totalMs?: number | undefined;
  /** The time limit of one attempt, unless the call has its own. Default: 10 seconds. */
  readonly attemptMs?: number | undefined;
}

/**
 * Returns the HTTP client of a provider. All processes share the budget and the breaker of the provider through the
 * database. The time limit `totalMs` applies to all requests of the client together.
 *
 * @example
 * const http = openProviderClient({ database }, { id: 'alpaca', requestsPerMinute: 200 }, { signal });
 * await http.getJson(url, { headers });
 */
export function openProviderClient(
  { database, clock = systemClock }: ClientParts,
  { id, requestsPerMinute }: { readonly id: string; readonly requestsPerMinute: number | null },
  { signal, totalMs = DEFAULT_TOTAL_MS, attemptMs }: CallLimits = {},
): ProviderClient {
  const limits = { provider: id, signal, deadline: Date.now() + totalMs, attemptMs };
  if (requestsPerMinute === null) return createProviderClient({ ...limits, gate: null });
  if (database === undefined) throw new TypeError(`The budget of ${id} needs a database.`);
  const now = clock === systemClock ? undefined : () => clock.now().getTime();
  const gate = createProviderGate(database, { id, requestsPerMinute, now });
  return createProviderClient({ ...limits, gate });
}

/** The progress of one call. */
interface Call {
  readonly attemptMs: number;
  /** The permit of the latest request. */
  permit: Permit | undefined;
  /** The failure of the latest attempt. */
  latest: Failure | undefined;
  /** Whether an attempt had enough time for its failure to be the provider's. */
  hadTime: boolean;
  /** The instant before which the provider wants no request, according to the latest attempt. */
  retryAt: number | undefined;
}

/**
 * Creates an HTTP client that stays within a budget, retries a few times and stops at the deadline. The deadline
 * applies to all its requests together. If the signal aborts, its reason is thrown.
 */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { provider, gate, signal, sleep } = options;
  const { random = Math.random, now = Date.now, request = boundedRequest } = options;
  const { deadline = now() + DEFAULT_TOTAL_MS } = options;

  const errorOf = ({ fault, detail, reply }: Omit<Failure, 'retries'>) =>
    new ProviderError(provider, fault, detail, reply);

  /** Waits until a request may be sent. After a failed attempt, its failure is thrown if there is nothing to wait for. */
  const waitForPermit = async (call: Call): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      if (now() >= deadline) throw errorOf(call.latest ?? { fault: 'TIMEOUT' });
      if (gate === null) return;
      const admission = await gate.enter(Math.min(call.attemptMs, deadline - now()));
      if (admission.kind === 'granted') {
        call.permit = admission.permit;
        return;
      }
      if (admission.kind === 'open') throw errorOf(call.latest ?? circuitOpen(admission));
      const isLongPause = admission.pausedUntil !== undefined && admission.ms > MAX_PAUSE_MS;
      if (isLongPause || now() + admission.ms >= deadline) {
        throw errorOf(call.latest ?? { fault: 'RATE_LIMITED', detail: describeWait(admission) });
      }
      await sleepUnlessAborted(admission.ms, signal, sleep);
    }
  };

  /** Records how a call ended. The result of the call does not depend on whether that succeeds. */
  const settle = async ({ permit }: Call, outcome: CallOutcome): Promise<void> => {
    if (gate === null || permit === undefined) return;
    try {
      await gate.leave(permit, outcome);
    } catch {
      // A database that fails is reported by the next statement of the caller, and a trial ends with its time limit.
    }
  };

  const perform = async <Value, Result>(
    url: string,
    sent: { readonly method: 'GET' | 'POST'; readonly body?: Uint8Array },
    decode: (bytes: Buffer) => Value,
    callOptions: ReadOptions<Value, Result>,
  ): Promise<Result> => {
    const { headers = {}, isIdempotent = false, survivesAbort = false, accept } = callOptions;
    const { attemptMs = options.attemptMs ?? DEFAULT_ATTEMPT_MS } = callOptions;
    const { maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES } = callOptions;
    const call: Call = { attemptMs, permit: undefined, latest: undefined, hadTime: false, retryAt: undefined };
    const counts = new Map<ProviderFault, number>();
    const read = (bytes: Buffer) => {
      const value = decode(bytes);
      return accept === undefined ? (value as unknown as Result) : accept(value);
    };

    const attempt = async (): Promise<Result> => {
      await waitForPermit(call);
      const timeoutMs = Math.max(1, Math.min(attemptMs, deadline - now()));
      const cut = survivesAbort ? undefined : signal;
      try {
        const reply = await request(url, { ...sent, namedBy: 'operator', headers, timeoutMs, maxBytes, signal: cut });
        return await readReply(reply, read, now());
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ProviderError) {
          call.latest = { fault: error.fault, retries: 0 };
          call.hadTime = true;
          call.retryAt = undefined;
          throw error;
        }
        const failed = toFailedAttempt(error);
        // A timeout of a short attempt, which began just before the deadline, shows nothing about the provider.
        if (failed instanceof FailedAttempt && (failed.failure.fault !== 'TIMEOUT' || timeoutMs >= attemptMs / 2)) {
          call.hadTime = true;
        }
        throw failed;
      }
    };

    const delayAfter = (error: unknown, attempts: number): number => {
      if (!(error instanceof FailedAttempt)) throw error;
      const { failure } = error;
      call.latest = failure;
      call.retryAt = failure.retryAfterMs ? now() + failure.retryAfterMs : undefined;
      const count = (counts.get(failure.fault) ?? 0) + 1;
      counts.set(failure.fault, count);
      // A random part of the full backoff, so that processes that failed together do not retry together.
      const backoff = random() * FIRST_BACKOFF_MS * 2 ** (attempts - 1);
      const ms = Math.max(failure.retryAfterMs ?? 0, backoff);
      const mayRetry = (sent.method === 'GET' || isIdempotent) && (call.permit?.trial ?? null) === null;
      const isLast = attempts === MAX_ATTEMPTS || count > failure.retries || now() + ms >= deadline;
      if (!mayRetry || isLast) throw errorOf(failure);
      return ms;
    };

    try {
      const result = await retry(attempt, { delayAfter, signal, sleep });
      await settle(call, 'succeeded');
      return result;
    } catch (error) {
      await settle(call, error instanceof ProviderError ? outcomeOf(call, now()) : 'abandoned');
      throw error;
    }
  };

  return {
    getJson: (url, options = {}) => perform(url, { method: 'GET' }, readJson, options),
    getText: (url, options = {}) => perform(url, { method: 'GET' }, decodeText, options),
    getBytes: (url, options = {}) => perform(url, { method: 'GET' }, (bytes) => bytes, options),
    postJson: (url, value, options = {}) => {
      const headers = { 'content-type': 'application/json', ...options.headers };
      const body = Buffer.from(JSON.stringify(value));
      return perform(url, { method: 'POST', body }, readJson, { ...options, headers });
    },
    postForm: (url, fields, options = {}) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
      const body = Buffer.from(new URLSearchParams(fields).toString());
      return perform(url, { method: 'POST', body }, readJson, { ...options, headers });
    },
  };
}

function circuitOpen({ since, until }: Extract<Admission, { kind: 'open' }>): Omit<Failure, 'retries'> {
  const end = until === null ? 'while it is tried' : `until ${until.toISOString()}`;
  return { fault: 'CIRCUIT_OPEN', detail: `since ${since.toISOString()}, ${end}` };
}

function describeWait({ pausedUntil }: Extract<Admission, { kind: 'wait' }>): string {
  return pausedUntil === undefined ? 'limit of this service' : `it wants none until ${pausedUntil.toISOString()}`;
}

function outcomeOf({ latest, hadTime, retryAt }: Call, now: number): CallOutcome {
  if (latest === undefined || !hadTime) return 'abandoned';
  const { fault } = latest;
  if (isCausedByRequest(fault)) return 'replied';
  const isBusy = fault === 'RATE_LIMITED' || fault === 'UNAVAILABLE';
  return isBusy && retryAt !== undefined && retryAt > now ? { fault, pauseMs: retryAt - now } : { fault };
}
