import { decodeText, type OutboundBytes } from './bounded-request.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import type { FailedReply, ProviderFault } from './provider-error.ts';

export const MAX_ATTEMPTS = 4;

export interface Failure {
  readonly fault: ProviderFault;
  /** Written by this service. A message never contains any part of a reply. */
  readonly detail?: string | undefined;
  /** How often the same fault is retried. */
  readonly retries: number;
  /** The milliseconds to wait before a retry, according to the provider. */
  readonly retryAfterMs?: number | null;
  readonly reply?: FailedReply | undefined;
}

/** The failure of one attempt. It determines whether to retry. */
export class FailedAttempt extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.fault);
    this.failure = failure;
  }
}

const FAILURES: Record<Exclude<OutboundFault, 'aborted'>, Failure> = {
  bad_address: { fault: 'UNREACHABLE', retries: 0 },
  timeout: { fault: 'TIMEOUT', retries: MAX_ATTEMPTS },
  unreachable: { fault: 'UNREACHABLE', retries: MAX_ATTEMPTS },
  truncated: { fault: 'TRUNCATED', retries: MAX_ATTEMPTS },
  too_large: { fault: 'TOO_LARGE', retries: 0 },
  malformed: { fault: 'MALFORMED', retries: 1 },
  encoded: { fault: 'MALFORMED', retries: 1 },
  not_public: { fault: 'UNREACHABLE', retries: 0 },
  not_https: { fault: 'UNREACHABLE', retries: 0 },
};

/** The codes of a name that does not resolve and of a refused connection, which a retry a moment later would repeat. */
const NOT_RETRIED = /^(ENOTFOUND|EAI_[A-Z]+|ECONNREFUSED)$/;

/** Converts the error of a request. Errors that are not about the other machine are returned as they are. */
export function toFailedAttempt(error: unknown): unknown {
  if (!(error instanceof OutboundError) || error.kind === 'aborted') return error;
  const failure = FAILURES[error.kind];
  const retries = NOT_RETRIED.test(error.code ?? '') ? 0 : failure.retries;
  return new FailedAttempt({ ...failure, retries, detail: error.code });
}

/**
 * Reads a successful reply with `read`, which throws `OutboundError`, `FailedAttempt` or `ProviderError`. Throws for any
 * other reply.
 */
export function readReply<Result>(
  { status, headers, bytes }: OutboundBytes,
  read: (bytes: Buffer) => Result,
  now: number,
): Result {
  if (status >= 200 && status < 300) return read(bytes);
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const { fault, retries } = failureOfStatus(status);
  throw new FailedAttempt({ fault, retries, detail: `HTTP ${status}`, retryAfterMs, reply: { status, bytes } });
}

function failureOfStatus(status: number): Failure {
  if (status === 429) return { fault: 'RATE_LIMITED', retries: MAX_ATTEMPTS };
  if (status >= 500) return { fault: 'UNAVAILABLE', retries: MAX_ATTEMPTS };
  if (status === 401) return { fault: 'UNAUTHORIZED', retries: 0 };
  if (status === 403) return { fault: 'FORBIDDEN', retries: 0 };
  if (status === 404) return { fault: 'NOT_FOUND', retries: 0 };
  return { fault: status >= 400 ? 'REJECTED' : 'MALFORMED', retries: 0 };
}

/** Parses the body of a reply as JSON. */
export function readJson(bytes: Buffer): unknown {
  const text = decodeText(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new FailedAttempt({ fault: 'MALFORMED', detail: 'not JSON', retries: 1 });
  }
}

/**
 * Returns the milliseconds that a Retry-After header states as seconds or as a date; null for any other text. Longer than
 * 30 years is as long as 30 years.
 *
 * @example readRetryAfter('2', Date.now()) // 2000
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Math.min(Number(header), 999_999_999) * 1_000;
  // Date.parse reads almost any text as a date; a valid header ends in GMT.
  const instant = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, instant - now);
}
