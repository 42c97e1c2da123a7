/**
 * Milliseconds that a Retry-After header asks for, written as seconds or as a date; null when it says neither.
 *
 * @example readRetryAfter('2', Date.now()) // 2000
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  // Date.parse reads almost anything as some date; the header's own form ends in GMT.
  const instant = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.max(0, instant - now);
}
