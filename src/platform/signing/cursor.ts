import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 16;

/**
 * Returns a signed cursor for a list. It can be opened only with the same key and settings.
 *
 * @param settings the canonical text of everything that must be the same in the next request
 * @example sealCursor(key, canonicalJson({ query: 'cpi' }), { offset: 20 })
 */
export function sealCursor(key: Buffer, settings: string, position: object): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${payload}.${sign(key, settings, payload)}`;
}

/** Returns the position in a cursor, or null if it was not created with this key and these settings. */
export function openCursor(key: Buffer, settings: string, cursor: string): unknown {
  const [payload = '', signature = '', ...more] = cursor.split('.');
  // The signatures are compared as text, because several base64 texts decode to the same bytes.
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(key, settings, payload))];
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

function sign(key: Buffer, settings: string, payload: string): string {
  const digest = createHmac('sha256', key).update(`${settings.length}:${settings}${payload}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}
