import { z } from 'zod';
import { ERROR_CODES } from './error-codes.ts';

export const API_VERSION = 'v1';

/** How a success body is built from what an operation returns. */
export interface Reply<Data extends z.ZodType = z.ZodType> {
  readonly data: Data;
  readonly body: z.ZodType;
  readonly wrap: (data: unknown) => unknown;
}

const meta = Object.freeze({ api_version: API_VERSION });

/** `{ data, meta }`: the envelope of the v1 resource endpoints. */
export function resource<Data extends z.ZodType>(data: Data): Reply<Data> {
  return {
    data,
    body: z.strictObject({ data, meta: z.strictObject({ api_version: z.literal(API_VERSION) }) }),
    wrap: (value) => ({ data: value, meta }),
  };
}

/** `{ data }`: that of the one operation whose interface has no meta. */
export function bare<Data extends z.ZodType>(data: Data): Reply<Data> {
  return { data, body: z.strictObject({ data }), wrap: (value) => ({ data: value }) };
}

/** `{ ok: true, … }`: the envelope of Search and Download. */
export function ok<Shape extends z.ZodRawShape>(data: z.ZodObject<Shape>): Reply<z.ZodObject<Shape>> {
  return {
    data,
    body: z.strictObject({ ok: z.literal(true), ...data.shape }),
    wrap: (value) => ({ ok: true, ...(value as object) }),
  };
}

/** Failure on every path but Search and Download. */
export const ErrorBody = z
  .strictObject({
    // Not `uuid()`, which knows only some versions: the id may be the caller's own, of whatever version.
    error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string(), request_id: z.guid() }),
  })
  .meta({ id: 'Error' });

/** Failure under `/v1/market-search` and `/market-data`. */
export const SearchErrorBody = z
  .strictObject({ ok: z.literal(false), error: z.enum(ERROR_CODES), message: z.string() })
  .meta({ id: 'SearchError' });

const SEARCH_PATHS = /^\/(v1\/market-search|market-data)(\/|$)/;

/** Which of the two failure envelopes a path (relative to the base address) answers with. */
export function usesSearchEnvelope(path: string): boolean {
  return SEARCH_PATHS.test(path);
}
