import assert from 'node:assert/strict';
import type { Expected } from './expected.ts';
import type { OpenFixture } from './open-fixture.ts';

export const FORECASTS = '/v1/ensemble-forecasts';

export type Headers = Readonly<Record<string, string>>;

/** The fields of a forecast that the tests check. */
export interface Forecast {
  readonly forecast_id: string;
  readonly request: object;
  readonly settings: { readonly cutoff: string | null };
  readonly snapshot: object;
}

/** Returns a forecast as the earlier build returned it. */
export function recordedForecast({ forecasts, answers }: Expected, name: string): Forecast {
  const path = `${FORECASTS}/${forecasts[name]}`;
  return JSON.parse(answers.find((answer) => answer.path === path)?.body ?? '').data;
}

/** The id of the recorded requests, which error responses contain. */
export const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

/** Returns functions that send requests to the service of a fixture. */
export function openFixtureClient({ app, expected }: Pick<OpenFixture, 'app' | 'expected'>) {
  const headersOf = (caller: string): Headers => {
    const headers = expected.callers[caller]?.headers;
    if (headers === undefined) throw new Error(`The fixture has no caller ${caller}.`);
    return headers;
  };

  async function send(callerHeaders: Headers, method: 'GET' | 'POST', path: string, payload?: object) {
    const headers = { 'x-request-id': REQUEST_ID, ...callerHeaders };
    const response = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
    return { status: response.statusCode, body: response.body };
  }

  /** Sends a request as the owner of the fixture's resources. Returns the data within the envelope. */
  async function sendAsOwner<Data>(
    method: 'GET' | 'POST',
    path: string,
    payload?: object,
    more?: Headers,
  ): Promise<Data> {
    const { status, body } = await send({ ...headersOf('ada'), ...more }, method, path, payload);
    assert.ok(status < 300, `${method} ${path}: ${status} ${body}`);
    return JSON.parse(body).data;
  }

  return { headersOf, send, sendAsOwner };
}

export type FixtureClient = ReturnType<typeof openFixtureClient>;
