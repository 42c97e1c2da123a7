import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** What a private or shared key has beside its public part. An issuer that shows one has no secret left. */
const PRIVATE_PARTS = ['d', 'k', 'priv'];

/** Shorter ones are refused for signatures anyway. */
const MIN_RSA_BITS = 2_048;

/** Whether an entry of a key set is a public key that signatures can be checked with. */
export function isUsableKey(entry: Readonly<Record<string, unknown>>): boolean {
  if (PRIVATE_PARTS.some((part) => Object.hasOwn(entry, part))) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: entry as JsonWebKey, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}
