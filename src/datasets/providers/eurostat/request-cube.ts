import { isRecord, malformed, type ProviderClient, ProviderError, readRecords } from '../../../platform/index.ts';
import { EUROSTAT } from './eurostat-ids.ts';
import { type Cube, readCube } from './read-cube.ts';

/** Why Eurostat sent no cube. */
export type Refusal = 'not_found' | 'no_results' | 'rejected' | 'too_large';

const MAX_BYTES = 8 * 1024 * 1024;
/** The labels of errors with the status 400 that mean that the data set has no such dimension, value or cell. */
const NO_RESULTS = ['INVALID_QUERY_DIMENSION', 'NO_RESULTS'];

/** The part of a data set to request. */
export interface CubeRequest<Result> {
  /** The address of the API. */
  readonly url: string;
  readonly code: string;
  /** The parameters besides format and language, which select the part. */
  readonly parameters: Iterable<readonly [name: string, value: string]>;
  /** Converts the cube as a part of the call, and throws a `ProviderError` if it is invalid. */
  readonly read: (cube: Cube) => Result;
}

/** Requests a part of a data set and returns what `read` makes of it. */
export async function requestCube<Result>(
  { url, code, parameters, read }: CubeRequest<Result>,
  http: ProviderClient,
): Promise<Result | Refusal> {
  const query = new URLSearchParams({ format: 'JSON', lang: 'EN' });
  for (const [name, value] of parameters) query.append(name, value);
  try {
    return await http.getJson(`${url}/statistics/1.0/data/${encodeURIComponent(code)}?${query}`, {
      maxBytes: MAX_BYTES,
      accept: (reply) => {
        const refusal = readRefusal(reply);
        if (refusal !== null) return refusal;
        const cube = readCube(reply);
        if (cube.code !== null && cube.code !== code) throw malformed(EUROSTAT, 'another data set');
        return read(cube);
      },
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.fault === 'NOT_FOUND') return 'not_found';
    if (error.status === 413) return 'too_large';
    if (error.status !== 400) throw error;
    return NO_RESULTS.some((label) => error.replyIncludes(label)) ? 'no_results' : 'rejected';
  }
}

/**
 * Returns what a successful reply without a cube means; null for all other replies. Eurostat sends the errors of some
 * requests with the status 200, and a warning if it would prepare the reply for later.
 */
function readRefusal(reply: unknown): Refusal | null {
  if (!isRecord(reply)) return null;
  if (isRecord(reply.warning) && reply.warning.status === 413) return 'too_large';
  if (!Object.hasOwn(reply, 'error')) return null;
  const [error] = readRecords(EUROSTAT, reply.error);
  if (error?.status === 413) return 'too_large';
  if (error?.status === 404) return 'not_found';
  if (error?.id === 100) return 'no_results';
  throw malformed(EUROSTAT, 'an error');
}
