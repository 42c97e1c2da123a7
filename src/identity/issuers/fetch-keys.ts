import type { JSONWebKeySet } from 'jose';
import { boundedGet, isLoopback, isSafeWebAddress } from '../../platform/index.ts';
import { isUsableKey } from './usable-key.ts';

/** Of a discovery document or a key set: the largest public ones have some ten thousand. */
const MAX_BYTES = 256 * 1024;

/** An issuer answered, but not with what an issuer has to say. The message is for the log. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/**
 * Asks an issuer for its keys: first for its discovery document, then for the set that this names. Throws `IssuerError`,
 * or `OutboundError` when there is no answer.
 *
 * @param timeoutMs for each of the two
 */
export async function fetchKeys(issuer: string, timeoutMs: number): Promise<JSONWebKeySet> {
  const discovery = await getObject(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, timeoutMs);
  // Or else one issuer could pass another's keys off as its own, or the other way round.
  if (discovery.issuer !== issuer) throw new IssuerError('The discovery document is of another issuer.');
  const { keys } = await getObject(keyAddress(issuer, discovery.jwks_uri), timeoutMs);
  if (!Array.isArray(keys)) throw new IssuerError('The key set has no list of keys.');
  // One that is malformed, or of a kind that we do not know, must not make the others useless.
  return { keys: keys.filter(isObject).filter(isUsableKey) as unknown as JSONWebKeySet['keys'] };
}

/** Where the keys are. An issuer elsewhere must not point us at this machine, which it cannot reach itself. */
export function keyAddress(issuer: string, address: unknown): string {
  const isSafe = typeof address === 'string' && isSafeWebAddress(address) && (!isHere(address) || isHere(issuer));
  if (!isSafe) throw new IssuerError('The discovery document has no jwks_uri with https, or with http on loopback.');
  return address;
}

function isHere(address: string): boolean {
  return isLoopback(new URL(address).hostname.replace(/^\[|\]$/g, ''));
}

async function getObject(address: string, timeoutMs: number): Promise<Record<string, unknown>> {
  const headers = { accept: 'application/json' };
  const { status, text } = await boundedGet(address, { headers, timeoutMs, mostBytes: MAX_BYTES });
  if (status !== 200) throw new IssuerError(`The answer has status ${status}.`);
  const value = parseJson(text);
  if (!isObject(value)) throw new IssuerError('The answer is no JSON object.');
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
