import { type AlmanacError, ConnectionError } from './errors.ts';

/** A longer pause would look like a call that hangs, so the error is thrown instead; it states how long to wait. */
const MAX_WAIT_MS = 60_000;
const MAX_DELAY_MS = 8_000;

/** Returns whether the same request can succeed later. */
export function isTemporary(error: AlmanacError): boolean {
  if (error instanceof ConnectionError) return true;
  // Credits and slots do not become free within seconds.
  if (error.code === 'QUOTA_EXCEEDED') return false;
  const { status } = error;
  return status !== null && (status === 408 || status === 429 || status >= 500);
}

/**
 * Returns how long to wait before an attempt: as long as the service asks for, and longer with each failure. The time
 * is partly random, so that clients that failed together do not return together. Returns null if the wait is too long.
 */
export function chooseDelay(failures: number, baseMs: number, retryAfterMs: number | null): number | null {
  if (retryAfterMs !== null && retryAfterMs > MAX_WAIT_MS) return null;
  const delay = Math.min(baseMs * 2 ** (failures - 1), MAX_DELAY_MS) * (0.5 + Math.random() / 2);
  const asked = retryAfterMs ?? 0;
  return Math.max(delay, asked + Math.random() * Math.min(asked / 4, 1_000));
}

/** Reads a Retry-After header: a number of seconds, or a date. */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  // Date.parse takes other texts, such as 1.5, for dates of the past.
  const date = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits. Throws the reason of the signal when it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
