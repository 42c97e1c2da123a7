import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contract/index.ts';

/** Equal calls in the same ten minutes are one call that was sent again. */
const REPEAT_MS = 600_000;

/**
 * Returns the idempotency key of a call without one. Agents repeat calls whose answer they lost; later, the same question
 * deserves a new forecast, because the series may have new rows.
 */
export function repeatKey(request: object, now: Date): string {
  const hash = createHash('sha256').update(canonicalJson(request)).digest('hex');
  return `${Math.floor(now.getTime() / REPEAT_MS)}:${hash}`;
}
