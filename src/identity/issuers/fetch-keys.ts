import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { boundedGet, type Destination, isSafeWebAddress } from '../../platform/index.ts';

/** The size limit of a discovery document or a key set. The largest public ones are about 10,000 bytes long. */
const MAX_BYTES = 256 * 1024;

/** The error for an issuer that responded with something other than its documents. The message is for the log. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/**
 * Fetches the keys of an issuer: first its discovery document, then the key set that the document names. The operator
 * named the issuer, which may therefore be a private host; a key set at another origin must be on the public internet or
 * in `allow`. Throws `IssuerError` if a document is invalid, or `OutboundError` if the issuer does not respond.
 *
 * @param timeoutMs the timeout of each of the two requests
 * @param destination the ranges of addresses that an issuer may name although they are not public, and a resolver
 */
export async function fetchKeys(
  issuer: string,
  timeoutMs: number,
  { allow, lookup }: Omit<Destination, 'namedBy'> = {},
): Promise<JSONWebKeySet> {
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovery = await getObject(discoveryUrl, { namedBy: 'operator', timeoutMs, lookup });
  // Otherwise an issuer could present the keys of another issuer as its own, or the reverse.
  if (discovery.issuer !== issuer) throw new IssuerError('The discovery document belongs to another issuer.');
  const keySetUrl = checkKeySetUrl(discovery.jwks_uri);
  const namedBy = new URL(keySetUrl).origin === new URL(issuer).origin ? 'operator' : 'others';
  const { keys } = await getObject(keySetUrl, { namedBy, allow, timeoutMs, lookup });
  if (!Array.isArray(keys)) throw new IssuerError('The key set has no array "keys".');
  // A key that is malformed or of an unknown type must not make the others unusable.
  return { keys: keys.filter(isObject).filter(isUsableKey) as unknown as JSONWebKeySet['keys'] };
}

/** Returns the URL of the key set if the keys cannot be replaced on their way. */
export function checkKeySetUrl(address: unknown): string {
  if (typeof address === 'string' && isSafeWebAddress(address)) return address;
  throw new IssuerError('The discovery document has no jwks_uri that uses https, or http on loopback.');
}

async function getObject(
  address: string,
  options: Destination & { readonly timeoutMs: number },
): Promise<Record<string, unknown>> {
  const headers = { accept: 'application/json' };
  const { status, text } = await boundedGet(address, { ...options, headers, maxBytes: MAX_BYTES });
  if (status !== 200) throw new IssuerError(`The response has status ${status}.`);
  const value = parseJson(text);
  if (!isObject(value)) throw new IssuerError('The response is not a JSON object.');
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JWK members that only private and shared keys have. A published key with one of them is not secret. */
const PRIVATE_PARTS = ['d', 'k', 'priv'];

/** The library would also reject signatures with shorter keys. */
const MIN_RSA_BITS = 2_048;

/** Returns whether an entry of a key set is a public key that can verify signatures. */
export function isUsableKey(entry: Readonly<Record<string, unknown>>): boolean {
  if (PRIVATE_PARTS.some((part) => Object.hasOwn(entry, part))) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: entry as JsonWebKey, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) >= MIN_RSA_BITS;
  } catch {
    return false;
  }
}
