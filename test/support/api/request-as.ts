import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '../../../src/contract/index.ts';
import type { Credentials } from '../identity/callers.ts';

/** The id of all requests, so that whole bodies can be compared. */
const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

const CSV = { 'content-type': 'text/csv' };

export interface Reply<Data> {
  readonly status: number;
  /** The data within the success envelope. */
  readonly data: Data;
  /** The error code, or undefined. */
  readonly code: ErrorCode | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The Set-Cookie headers. */
  readonly cookies: readonly string[];
}

export type SendRequest = <Data>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  /** A string is sent as a CSV file. */
  body?: object | string,
) => Promise<Reply<Data>>;

/**
 * Returns a function that sends requests as one caller.
 *
 * @example const { data } = await requestAs(app, credentials)<AccessRecord>('GET', '/v1/me/access');
 */
export function requestAs(app: FastifyInstance, credentials: Credentials, remoteAddress = '127.0.0.1'): SendRequest {
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
