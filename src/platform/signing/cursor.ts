import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningKey, SigningKeys } from './signing-key.ts';

const SIGNATURE_BYTES = 16;

/**
 * Returns a signed cursor for a list. It can be opened only while its key is accepted, and with the same settings.
 *
 * @param settings the canonical text of everything that must be the same in the next request
 * @example sealCursor(keys, canonicalJson({ query: 'cpi' }), { offset: 20 })
 */
export function sealCursor({ signing }: SigningKeys, settings: string, position: object): string {
  const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${payload}.${sign(signing, settings, payload)}`;
}

/** Returns the position in a cursor, or null if it was not created with an accepted key and these settings. */
export function openCursor({ accepted }: SigningKeys, settings: string, cursor: string): unknown {
  const [payload = '', signature = '', ...more] = cursor.split('.');
  const isSigned = accepted.some((key) => {
    // The signatures are compared as text, because several base64 texts decode to the same bytes.
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(key, settings, payload))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (more.length > 0 || !isSigned) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}

function sign({ secret }: SigningKey, settings: string, payload: string): string {
  const digest = createHmac('sha256', secret).update(`${settings.length}:${settings}${payload}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
}
