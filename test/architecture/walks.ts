import { sql } from 'kysely';
import * as openid from 'openid-client';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { startEngine } from '../../src/compute/index.ts';
import { startForecastWorker } from '../../src/forecasts/index.ts';
import { createLog } from '../../src/platform/index.ts';
import { CALLBACK, makeApplication } from '../identity/oauth/application.ts';
import { create, FORECASTS, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { makeAccount, PASSWORD } from '../support/identity/callers.ts';
import { oauthBrowser } from '../support/identity/oauth-browser.ts';
import { openOAuthSite } from '../support/identity/oauth-site.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { recordFiles } from './record-functions.ts';

/** A typical request: its heading in docs/architecture.md, its maximum number of files and how to record it. */
export interface Walk {
  readonly heading: string;
  readonly maxFiles: number;
  record(): Promise<string[]>;
}

export const WALKS: readonly Walk[] = [
  { heading: 'Create a forecast, to its queued row', maxFiles: 33, record: recordCreation },
  { heading: 'Run a forecast, from its queued row to the stored result', maxFiles: 20, record: recordRun },
  { heading: 'Stock history, to CSV bytes', maxFiles: 20, record: recordStockHistory },
  { heading: 'An OAuth sign-in', maxFiles: 24, record: recordSignIn },
];

async function recordCreation(): Promise<string[]> {
  await using service = await openForecastService(testedKind);
  const caller = await service.account();
  // The first request verifies the checkpoints; later ones do not.
  await create(caller);
  return await recordFiles(async () => {
    const { status } = await create(caller);
    if (status !== 202) throw new Error(`The forecast was not created: ${status}.`);
  });
}

async function recordRun(): Promise<string[]> {
  await using service = await openForecastService(testedKind);
  const { database, queue, forecasts } = service;
  const log = createLog('silent');
  // The forecast worker alone: the scheduled jobs of a whole worker would be recorded as well.
  const worker = await startForecastWorker({ ...forecasts, queue, log }, () => startEngine({ threads: 1 }));
  await using _ = { [Symbol.asyncDispose]: () => queue.stop({ timeoutMs: 1_000 }).then(() => worker.close()) };
  const caller = await service.account();
  const hasEnded = (id: string) =>
    waitFor(
      () => caller.request<{ status: string }>('GET', `${FORECASTS}/${id}`),
      ({ data }) => data.status === 'completed',
    );
  // The first forecast starts the engine.
  await hasEnded((await create(caller)).data.forecast_id);
  // An active entry is not taken: the second forecast stays queued until the recording has begun.
  const release = await holdQueue(database);
  const { forecast_id } = (await create(caller)).data;
  return await recordFiles(async () => {
    await release();
    await waitFor(
      async () => {
        const rows = await sql<{ status: string }>`SELECT status FROM forecast WHERE id = ${forecast_id}`.execute(
          database.query(),
        );
        return rows.rows[0]?.status;
      },
      (status) => status === 'completed',
    );
  });
}

/** Makes new queue entries wait until `release` is called. */
async function holdQueue(database: Parameters<typeof openOAuthSite>[0]): Promise<() => Promise<void>> {
  const db = database.query();
  await sql`CREATE FUNCTION hold_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.start_after := now() + interval '1 hour'; RETURN NEW; END $$`.execute(db);
  await sql`CREATE TRIGGER hold_entry BEFORE INSERT ON queue.job FOR EACH ROW EXECUTE FUNCTION hold_entry()`.execute(
    db,
  );
  return async () => {
    await sql`DROP TRIGGER hold_entry ON queue.job`.execute(db);
    await sql`DROP FUNCTION hold_entry`.execute(db);
    await sql`UPDATE queue.job SET start_after = now() WHERE start_after > now() + interval '30 minutes'`.execute(db);
  };
}

async function recordStockHistory(): Promise<string[]> {
  await using service = await openForecastService(testedKind);
  const { credentials } = await service.account();
  return await recordFiles(async () => {
    const { statusCode } = await service.app.inject({
      method: 'POST',
      url: '/api/market-data/stocks/history',
      headers: { ...credentials },
      payload: { symbol: '^GSPC', timeframe: '1Day', format: 'csv' },
    });
    if (statusCode !== 200) throw new Error(`The history was not sent: ${statusCode}.`);
  });
}

async function recordSignIn(): Promise<string[]> {
  await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const site = await openOAuthSite(fixture.database);
  fixture.cleanup(() => site.app.close());
  const application = await makeApplication(site);
  const { email } = await makeAccount(site.identity);
  const browser = oauthBrowser(site.url);
  const verifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(application.config, {
    redirect_uri: CALLBACK,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return await recordFiles(async () => {
    const signInPage = await follow(browser.get(address), address);
    const consentPage = await follow(browser.post(signInPage, { email, password: PASSWORD }), signInPage);
    const callback = await follow(browser.post(consentPage, { decision: 'allow' }), consentPage);
    await openid.authorizationCodeGrant(application.config, callback, { pkceCodeVerifier: verifier });
  });

  /** Follows redirects within the site. Returns the address of the page, or of the first address outside. */
  async function follow(sent: Promise<Response>, from: URL): Promise<URL> {
    let [response, url] = [await sent, from];
    for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
      url = new URL(location, url);
      if (url.origin !== site.url) return url;
      response = await browser.get(url);
    }
    if (response.status !== 200) throw new Error(`${url.pathname} answered ${response.status}.`);
    return url;
  }
}
