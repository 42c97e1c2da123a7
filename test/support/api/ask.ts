import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '../../../src/contract/index.ts';
import type { Credentials } from '../identity/callers.ts';

/** Requests get this id, so that whole bodies can be compared with each other. */
const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

const CSV = { 'content-type': 'text/csv' };

export interface Reply<Data> {
  readonly status: number;
  /** The inside of the success envelope. */
  readonly data: Data;
  /** The code of a refusal, or undefined. */
  readonly code: ErrorCode | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The cookies that were set, as the header has them. */
  readonly cookies: readonly string[];
}

export type Ask = <Data>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  /** A text is sent as a file. */
  body?: object | string,
) => Promise<Reply<Data>>;

/**
 * A function that sends requests as one caller.
 *
 * @example const { data } = await askAs(app, credentials)<AccessRecord>('GET', '/v1/me/access');
 */
export function askAs(app: FastifyInstance, credentials: Credentials, remoteAddress = '127.0.0.1'): Ask {
  return async (method, path, body) => {
    const response = await app.inject({
      method,
      url: `/api${path}`,
      headers: { 'x-request-id': REQUEST_ID, ...credentials, ...(typeof body === 'string' && CSV) },
      remoteAddress,
      ...(body !== undefined && { payload: body }),
    });
    const { data, error } = response.json();
    const cookies = [response.headers['set-cookie'] ?? []].flat();
    return {
      status: response.statusCode,
      data,
      code: error?.code,
      body: response.body,
      headers: response.headers,
      cookies,
    };
  };
}
