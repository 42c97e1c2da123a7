import { malformed, type ProviderClient, ProviderError } from '../../../platform/index.ts';

export const FRED = 'fred';

/** The settings of the adapter. */
export interface FredSession {
  readonly url: string;
  /** FRED accepts it in the query only. */
  readonly key: string;
}

/** The path of observations. */
export const OBSERVATIONS_PATH = 'series/observations';

/** A request of FRED's API. */
export interface FredRequest<Result> {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly attemptMs?: number;
  /** Checks and converts the reply. */
  readonly accept: (reply: unknown) => Result;
}

/** FRED's ids have at most 25 characters; other ones are refused. */
const SERIES_ID = /^[A-Z0-9_]{1,25}$/;

/** Returns whether a text can be the id of a series of FRED. */
export function isSeriesId(text: string): boolean {
  return SERIES_ID.test(text);
}

/** Sends a request. Throws a `ProviderError`, which contains neither the key nor the reply. */
export async function requestFred<Result>(
  { url, key }: FredSession,
  { path, parameters, attemptMs, accept }: FredRequest<Result>,
  http: ProviderClient,
): Promise<Result> {
  const query = new URLSearchParams({ ...parameters, file_type: 'json', api_key: key });
  const acceptWithoutKey = (reply: unknown) => {
    const result = accept(reply);
    // Texts that a reply contains are stored and shown. Observations have none.
    if (path !== OBSERVATIONS_PATH && JSON.stringify(result).includes(key)) throw malformed(FRED, 'the key');
    return result;
  };
  try {
    return await http.getJson(`${url}/fred/${path}?${query}`, { accept: acceptWithoutKey, attemptMs });
  } catch (error) {
    // FRED replies 400 to a wrong key as well as to a wrong parameter.
    throw isRejected(error, 'api_key is not') ? new ProviderError(FRED, 'UNAUTHORIZED', 'HTTP 400') : error;
  }
}

/** Returns whether FRED has no series with the requested id. */
export function isUnknownSeries(error: unknown): boolean {
  // The full stop matters: with dates of vintages, FRED replies "does not exist in ALFRED", which may be due to the date.
  return isRejected(error, 'The series does not exist.') || isRejected(error, 'Invalid value for variable series_id');
}

/** Returns whether FRED has no vintages of the requested series. */
export function isWithoutVintages(error: unknown): boolean {
  return isRejected(error, 'The series does not exist') || isRejected(error, 'No vintage dates exist');
}

function isRejected(error: unknown, text: string): boolean {
  return error instanceof ProviderError && error.fault === 'REJECTED' && error.replyIncludes(text);
}

/** Returns the parameters for what stood on a date; none for what stands today. */
export function asOf(vintage: string | undefined): Record<string, string> {
  return vintage === undefined ? {} : { realtime_start: vintage, realtime_end: vintage };
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Returns whether a part of a reply stood on a date, according to its own dates. */
export function stoodOn(
  vintage: string,
  { realtime_start: start, realtime_end: end }: Record<string, unknown>,
): boolean {
  if (typeof start !== 'string' || typeof end !== 'string' || !DATE.test(start) || !DATE.test(end)) return false;
  return start <= vintage && vintage <= end;
}
