import { z } from 'zod';
import { ERROR_CODES } from './error-catalog.ts';

export const API_VERSION = 'v1';

/** Describes the response body of an operation and builds it from the data that the handler returns. */
export interface Reply<Data extends z.ZodType = z.ZodType> {
  readonly data: Data;
  readonly body: z.ZodType;
  readonly wrap: (data: unknown) => unknown;
}

const meta = Object.freeze({ api_version: API_VERSION });

/** Returns a reply in the envelope `{ data, meta }`, which most operations use. */
export function resource<Data extends z.ZodType>(data: Data): Reply<Data> {
  return {
    data,
    body: z.strictObject({ data, meta: z.strictObject({ api_version: z.literal(API_VERSION) }) }),
    wrap: (value) => ({ data: value, meta }),
  };
}

/** Returns a reply in the envelope `{ data }`, which one operation uses. */
export function dataOnly<Data extends z.ZodType>(data: Data): Reply<Data> {
  return { data, body: z.strictObject({ data }), wrap: (value) => ({ data: value }) };
}

/** Returns a reply in the envelope `{ ok: true, … }`, which the Search and Download operations use. */
export function ok<Shape extends z.ZodRawShape>(data: z.ZodObject<Shape>): Reply<z.ZodObject<Shape>> {
  return {
    data,
    body: z.strictObject({ ok: z.literal(true), ...data.shape }),
    wrap: (value) => ({ ok: true, ...(value as object) }),
  };
}

/** The error body of every path except those of Search and Download. */
export const ErrorBody = z
  .strictObject({
    // Callers can send a UUID of any version as the request id, but `uuid()` accepts only some versions.
    error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string(), request_id: z.guid() }),
  })
  .meta({ id: 'Error' });

/** The error body under `/v1/market-search` and `/market-data`. */
export const SearchErrorBody = z
  .strictObject({ ok: z.literal(false), error: z.enum(ERROR_CODES), message: z.string() })
  .meta({ id: 'SearchError' });

const SEARCH_PATHS = /^\/(v1\/market-search|market-data)(\/|$)/;

/** Returns whether a path, relative to the base path, uses the error body of Search and Download. */
export function usesSearchEnvelope(path: string): boolean {
  return SEARCH_PATHS.test(path);
}
