import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 16;

/**
 * Returns a signed cursor of a list: it can be opened only with the key and the settings for which it was created.
 *
 * @param settings canonical text of everything that the next request must repeat
 * @example sealCursor(key, canonicalJson({ query: 'cpi' }), { offset: 20 })
 */
export function sealCursor(key: Buffer, settings: string, position: object): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${payload}.${sign(key, settings, payload)}`;
}

/** Returns the position of a cursor, or null when it was not created with this key for these settings. */
export function openCursor(key: Buffer, settings: string, cursor: string): unknown {
  const [payload = '', signature = '', ...more] = cursor.split('.');
  // Compared as text, because several base64 texts decode to the same bytes.
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(key, settings, payload))];
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

function sign(key: Buffer, settings: string, payload: string): string {
  const digest = createHmac('sha256', key).update(`${settings.length}:${settings}${payload}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}
