import { setTimeout as delay } from 'node:timers/promises';
import { boundedGet, OutboundError, type OutboundFault, type OutboundReply } from '../../platform/index.ts';
import type { ProviderHttp } from './http.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import { readRetryAfter } from './retry-after.ts';

const MAX_TRIES = 4;
const FIRST_BACKOFF_MS = 250;
const PATIENCE_MS = 20_000;
const REQUEST_MS = 10_000;
/** The largest page we know of, 50,000 bars, has some 6 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface ProviderHttpOptions {
  readonly provider: string;
  /** null: nobody counts, and `budget` is not asked. */
  readonly requestsPerMinute: number | null;
  /** 0: a request may go out; otherwise milliseconds after which to ask again. */
  readonly budget: () => Promise<number>;
  readonly signal?: AbortSignal | undefined;
  /** Instant, in milliseconds since 1970, after which nothing is tried or waited for. Default: in 20 seconds. */
  readonly deadline?: number | undefined;
  /** Of one try. */
  readonly requestMs?: number | undefined;
  readonly mostBytes?: number | undefined;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
  readonly random?: () => number;
  readonly now?: () => number;
  readonly get?: typeof boundedGet;
}

/** A try that failed. */
interface Failure {
  readonly fault: ProviderFault;
  /** Only what we know ourselves: nothing of the reply goes into a message. */
  readonly detail?: string | undefined;
  /** How often the same failure is tried again. */
  readonly retries: number;
  readonly retryAfter?: number | null;
}

const FAULT_OF: Record<Exclude<OutboundFault, 'aborted'>, { fault: ProviderFault; retries: number }> = {
  timeout: { fault: 'TIMEOUT', retries: MAX_TRIES },
  unreachable: { fault: 'UNREACHABLE', retries: MAX_TRIES },
  truncated: { fault: 'TRUNCATED', retries: MAX_TRIES },
  too_large: { fault: 'TOO_LARGE', retries: 0 },
  malformed: { fault: 'MALFORMED', retries: 1 },
  encoded: { fault: 'MALFORMED', retries: 1 },
};

/**
 * How adapters ask one provider: within its budget, with a few tries, and never past the deadline, which holds for all
 * requests made through it together. When the signal aborts, its reason is thrown.
 */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const { provider, requestsPerMinute, budget, signal, requestMs = REQUEST_MS, mostBytes = MAX_BYTES } = options;
  const { sleep = pause, random = Math.random, now = Date.now, get = boundedGet } = options;
  const { deadline = now() + PATIENCE_MS } = options;

  const give = (failure: Pick<Failure, 'fault' | 'detail'>) =>
    new ProviderError(provider, failure.fault, failure.detail);

  const wait = async (ms: number) => {
    try {
      await sleep(ms, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };

  /** Waits for the right to send a request. `earlier` is why the try before this one failed. */
  const takeTurn = async (earlier: Failure | undefined) => {
    for (;;) {
      signal?.throwIfAborted();
      if (now() >= deadline) throw give(earlier ?? { fault: 'TIMEOUT' });
      const ms = requestsPerMinute === null ? 0 : await budget();
      if (ms <= 0) return;
      if (now() + ms >= deadline) throw give(earlier ?? { fault: 'RATE_LIMITED', detail: 'our own limit' });
      await wait(ms);
    }
  };

  const tryOnce = async (url: string, headers: Readonly<Record<string, string>>) => {
    const timeoutMs = Math.max(1, Math.min(requestMs, deadline - now()));
    try {
      return readReply(await get(url, { headers, timeoutMs, mostBytes, signal }), now());
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
      return { failure: { ...FAULT_OF[error.kind], detail: error.code } };
    }
  };

  return {
    async getJson(url, headers = {}) {
      const failed = new Map<ProviderFault, number>();
      let failure: Failure | undefined;
      for (let tries = 1; ; tries++) {
        await takeTurn(failure);
        const outcome = await tryOnce(url, headers);
        if ('json' in outcome) return outcome.json;
        failure = outcome.failure;
        const times = (failed.get(failure.fault) ?? 0) + 1;
        failed.set(failure.fault, times);
        // Anything from nothing to the whole backoff, so that processes that failed together do not return together.
        const backoff = random() * FIRST_BACKOFF_MS * 2 ** (tries - 1);
        const ms = Math.max(failure.retryAfter ?? 0, backoff);
        if (tries === MAX_TRIES || times > failure.retries || now() + ms >= deadline) throw give(failure);
        await wait(ms);
      }
    },
  };
}

function readReply(reply: OutboundReply, now: number): { json: unknown } | { failure: Failure } {
  const { status, headers, text } = reply;
  if (status >= 200 && status < 300) {
    try {
      return { json: JSON.parse(text) };
    } catch {
      return { failure: { fault: 'MALFORMED', detail: 'not JSON', retries: 1 } };
    }
  }
  const detail = `HTTP ${status}`;
  const retryAfter = readRetryAfter(headers.get('retry-after'), now);
  if (status === 429) return { failure: { fault: 'RATE_LIMITED', detail, retries: MAX_TRIES, retryAfter } };
  if (status >= 500) return { failure: { fault: 'UNAVAILABLE', detail, retries: MAX_TRIES, retryAfter } };
  if (status === 401 || status === 403) return { failure: { fault: 'UNAUTHORIZED', detail, retries: 0 } };
  if (status === 404) return { failure: { fault: 'UNKNOWN_SYMBOL', detail, retries: 0 } };
  return { failure: { fault: 'MALFORMED', detail, retries: 0 } };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return delay(ms, undefined, { signal });
}
