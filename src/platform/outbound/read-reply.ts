import { ProviderError } from './provider-error.ts';

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a JSON object. Otherwise throws a `ProviderError` with the fault MALFORMED. */
export function readRecord(provider: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw malformed(provider, 'not an object');
}

/** Returns the JSON objects of a list. Throws a `ProviderError` with the fault MALFORMED for anything else. */
export function readRecords(provider: string, value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) throw malformed(provider, 'not a list');
  for (const entry of value) readRecord(provider, entry);
  return value;
}

/** Returns the token of the next page; null if there is none. */
export function readToken(provider: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && value.length <= MAX_TOKEN_LENGTH) return value;
  throw malformed(provider, 'page token');
}

const MAX_TOKEN_LENGTH = 4_096;

/** @param detail written by this service, because an error contains no part of a reply */
export function malformed(provider: string, detail: string): ProviderError {
  return new ProviderError(provider, 'MALFORMED', detail);
}
