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
  return `${payload}.${sign(key, settings, payload).toString('base64url')}`;
}

/** What a cursor holds; null when it is not one that was made for these settings. */
export function openCursor(key: Buffer, settings: string, cursor: string): unknown {
  const [payload = '', signature = '', ...more] = cursor.split('.');
  const given = Buffer.from(signature, 'base64url');
  if (more.length > 0 || given.length !== SIGNATURE_BYTES) return null;
  if (!timingSafeEqual(given, sign(key, settings, payload))) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

function sign(key: Buffer, settings: string, payload: string): Buffer {
  return createHmac('sha256', key)
    .update(`${settings.length}:${settings}${payload}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
