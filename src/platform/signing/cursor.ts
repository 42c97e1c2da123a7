import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 16;

/**
 * Where a list goes on, sealed: it can be opened only with the key and the settings it was made for.
 *
 * @param settings whatever must be the same in the next request, in one spelling
 * @example sealCursor(key, canonicalJson({ query: 'cpi' }), { offset: 20 })
 */
export function sealCursor(key: Buffer, settings: string, place: object): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${payload}.${sign(key, settings, payload)}`;
}

/** What a cursor holds; null when it is not one that was made for these settings. */
export function openCursor(key: Buffer, settings: string, cursor: string): unknown {
  const [payload = '', signature = '', ...more] = cursor.split('.');
  // As text, because several spellings of base64 decode to the same bytes.
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(key, settings, payload))];
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

function sign(key: Buffer, settings: string, payload: string): string {
  const digest = createHmac('sha256', key).update(`${settings.length}:${settings}${payload}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}
