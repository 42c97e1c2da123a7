import { DatabaseClosedError } from './errors.ts';

/** A transaction lost a race: serialization failure or deadlock. Running it again from the start is safe and may succeed. */
export function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** A row broke a unique constraint or index; with `constraint`, that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}

// Sockets that never opened or broke, and what the server says when it is starting, stopping, full or too slow (57014 is
// our statement timeout). Class 08 is "connection exception".
const unavailableCodes = new Set(
  [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
  ].concat(['57P01', '57P02', '57P03', '57P05', '57014', '53300', '53400']),
);

// Thrown by pg and PGlite themselves, without a code.
const unavailableMessages = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'PGlite is clos',
];

/** The database cannot answer now (refused, gone, overloaded, stopping). Not the caller's fault; later may be fine. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseClosedError) return true;
  const code = codeOf(error);
  if (code !== undefined && (unavailableCodes.has(code) || code.startsWith('08'))) return true;
  if (unavailableMessages.some((message) => error.message.startsWith(message))) return true;
  return isUnavailable(error.cause);
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
