import {
  boundedGet,
  type Database,
  OutboundError,
  type OutboundFault,
  type OutboundReply,
  retry,
  type Sleep,
  sleepUnlessAborted,
} from '../../platform/index.ts';
import { takeToken } from './budget.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 250;
const DEFAULT_TOTAL_MS = 20_000;
const DEFAULT_ATTEMPT_MS = 10_000;
/** Far above the largest known page, which is about 6 MiB for 50,000 bars. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;

/** The HTTP client of an adapter. Every call is bounded, retried and counted against the provider's budget. */
export interface ProviderHttp {
  /** Returns the JSON of a successful reply. Throws a `ProviderError` for any other reply. */
  getJson(url: string, headers?: Readonly<Record<string, string>>): Promise<unknown>;
}

export interface ProviderHttpOptions {
  readonly provider: string;
  /** Null if requests are not limited; `takeBudget` is then not called. */
  readonly requestsPerMinute: number | null;
  /** Returns 0 if a request may be sent, otherwise the milliseconds after which to call again. */
  readonly takeBudget: () => Promise<number>;
  readonly signal?: AbortSignal | undefined;
  /**
   * The instant, in milliseconds since 1970, after which the client neither sends requests nor waits. Default: 20
   * seconds from now.
   */
  readonly deadline?: number | undefined;
  /** The time limit of one attempt. */
  readonly attemptMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly sleep?: Sleep | undefined;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly get?: typeof boundedGet;
}

interface Failure {
  readonly fault: ProviderFault;
  /** Written by this service. A message never contains any part of a reply. */
  readonly detail?: string | undefined;
  /** How often the same fault is retried. */
  readonly retries: number;
  /** The milliseconds to wait before a retry, according to the provider. */
  readonly retryAfterMs?: number | null;
}

/** The failure of one attempt. It determines whether to retry. */
class FailedAttempt extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.fault);
    this.failure = failure;
  }
}

const FAILURES: Record<Exclude<OutboundFault, 'aborted'>, Failure> = {
  timeout: { fault: 'TIMEOUT', retries: MAX_ATTEMPTS },
  unreachable: { fault: 'UNREACHABLE', retries: MAX_ATTEMPTS },
  truncated: { fault: 'TRUNCATED', retries: MAX_ATTEMPTS },
  too_large: { fault: 'TOO_LARGE', retries: 0 },
  malformed: { fault: 'MALFORMED', retries: 1 },
  encoded: { fault: 'MALFORMED', retries: 1 },
  not_public: { fault: 'UNREACHABLE', retries: 0 },
};

/** Returns the HTTP client of a provider. All processes share the budget of the provider through the database. */
export function openProviderHttp(
  { database }: { readonly database?: Database },
  { id, requestsPerMinute }: { readonly id: string; readonly requestsPerMinute: number | null },
  { signal, totalMs }: { readonly signal: AbortSignal | undefined; readonly totalMs?: number },
): ProviderHttp {
  const takeBudget = async (): Promise<number> => {
    if (requestsPerMinute === null) return 0;
    if (database === undefined) throw new TypeError(`The budget of ${id} needs a database.`);
    return takeToken(database, id, requestsPerMinute);
  };
  const deadline = totalMs === undefined ? undefined : Date.now() + totalMs;
  return createProviderHttp({ provider: id, requestsPerMinute, takeBudget, signal, deadline });
}

/**
 * Creates an HTTP client that stays within a budget, retries a few times and stops at the deadline. The deadline
 * applies to all its requests together. If the signal aborts, its reason is thrown.
 */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const { provider, requestsPerMinute, takeBudget, signal, sleep } = options;
  const { attemptMs = DEFAULT_ATTEMPT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  const { random = Math.random, now = Date.now, get = boundedGet } = options;
  const { deadline = now() + DEFAULT_TOTAL_MS } = options;

  const errorOf = ({ fault, detail }: Pick<Failure, 'fault' | 'detail'>) => new ProviderError(provider, fault, detail);

  /** Waits until the budget allows a request. `earlier` is the failure of the previous attempt. */
  const waitForBudget = async (earlier: Failure | undefined): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      if (now() >= deadline) throw errorOf(earlier ?? { fault: 'TIMEOUT' });
      const ms = requestsPerMinute === null ? 0 : await takeBudget();
      if (ms <= 0) return;
      if (now() + ms >= deadline) {
        throw errorOf(earlier ?? { fault: 'RATE_LIMITED', detail: 'limit of this service' });
      }
      await sleepUnlessAborted(ms, signal, sleep);
    }
  };

  const getOnce = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const timeoutMs = Math.max(1, Math.min(attemptMs, deadline - now()));
    try {
      return readReply(await get(url, { namedBy: 'operator', headers, timeoutMs, maxBytes, signal }), now());
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
      throw new FailedAttempt({ ...FAILURES[error.kind], detail: error.code });
    }
  };

  return {
    getJson(url, headers = {}) {
      const counts = new Map<ProviderFault, number>();
      let latest: Failure | undefined;
      const delayAfter = (error: unknown, attempts: number): number => {
        if (!(error instanceof FailedAttempt)) throw error;
        const { failure } = error;
        latest = failure;
        const count = (counts.get(failure.fault) ?? 0) + 1;
        counts.set(failure.fault, count);
        // A random part of the full backoff, so that processes that failed together do not retry together.
        const backoff = random() * FIRST_BACKOFF_MS * 2 ** (attempts - 1);
        const ms = Math.max(failure.retryAfterMs ?? 0, backoff);
        if (attempts === MAX_ATTEMPTS || count > failure.retries || now() + ms >= deadline) throw errorOf(failure);
        return ms;
      };
      const attempt = async () => {
        await waitForBudget(latest);
        return getOnce(url, headers);
      };
      return retry(attempt, { delayAfter, signal, sleep });
    },
  };
}

function readReply({ status, headers, text }: OutboundReply, now: number): unknown {
  if (status >= 200 && status < 300) {
    try {
      return JSON.parse(text);
    } catch {
      throw new FailedAttempt({ fault: 'MALFORMED', detail: 'not JSON', retries: 1 });
    }
  }
  const detail = `HTTP ${status}`;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  if (status === 429) throw new FailedAttempt({ fault: 'RATE_LIMITED', detail, retries: MAX_ATTEMPTS, retryAfterMs });
  if (status >= 500) throw new FailedAttempt({ fault: 'UNAVAILABLE', detail, retries: MAX_ATTEMPTS, retryAfterMs });
  if (status === 401 || status === 403) throw new FailedAttempt({ fault: 'UNAUTHORIZED', detail, retries: 0 });
  if (status === 404) throw new FailedAttempt({ fault: 'UNKNOWN_SYMBOL', detail, retries: 0 });
  throw new FailedAttempt({ fault: 'MALFORMED', detail, retries: 0 });
}

/**
 * Returns the milliseconds that a Retry-After header states as seconds or as a date; null for any other text.
 *
 * @example readRetryAfter('2', Date.now()) // 2000
 */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  // Date.parse reads almost any text as a date; a valid header ends in GMT.
  const instant = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, instant - now);
}
