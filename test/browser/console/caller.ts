import type { Page } from 'playwright-core';
import { recentRows } from '../../support/api/console-browser.ts';
import { FORECASTS, waitFor } from '../../support/forecasts/forecast-service.ts';
import type { Credentials } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';

// Callers that use the pages in a browser and the API beside it.

/** Gives a browser the cookie of a caller. */
export async function addCookies(page: Page, { url }: FullSite, { cookie = '' }: Credentials): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  // The browser stores cookies with this prefix only for HTTPS, but also sends them to loopback over HTTP.
  const secure = url.replace('http:', 'https:');
  await page.context().addCookies([{ name, value, url: secure, httpOnly: true, sameSite: 'Lax' }]);
}

/** What the API returns for a forecast or a question. */
export interface Made {
  readonly forecast_id: string;
  readonly slug: string;
  readonly status: string;
}

export type Call = <Data = Made>(method: string, path: string, body?: object) => Promise<Data>;

/** Returns a function that sends requests of a caller to the API of a site and returns their data. */
export function callerOf({ url }: FullSite, credentials: Credentials): Call {
  return async (method, path, body) => {
    const headers = { ...credentials, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return ((await response.json()) as { data: never }).data;
  };
}

/** Creates a forecast and waits until it is completed. Returns its slug. */
export async function newForecast(call: Call, fields: object = {}): Promise<string> {
  const body = { source: recentRows(), horizon: 6, models: ['theta', 'ets'], title: 'Rain in Bergen', ...fields };
  const { forecast_id: id, slug } = await call('POST', FORECASTS, body);
  const { status, error } = await waitFor(
    () => call<Made & { readonly error?: object }>('GET', `${FORECASTS}/${id}`),
    ({ status }) => status === 'completed' || status === 'failed',
  );
  if (status === 'failed') throw new Error(`The forecast failed: ${JSON.stringify(error)}`);
  return slug;
}
