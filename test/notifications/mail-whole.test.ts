import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Started, waitFor } from '../support/forecasts/forecast-service.ts';
import { withKey, withSession } from '../support/identity/callers.ts';
import { openFullSite } from '../support/identity/full-site.ts';
import { testedKind } from '../support/platform/database.ts';
import { headerOf } from '../support/platform/mail-parts.ts';

test(`the service sends an email about a forecast, whose links work [${testedKind}]`, async () => {
  await using site = await openFullSite();
  const { database } = site.identity;
  const account = await site.account();
  const headers = { ...(await withKey(site.identity, account.id)), 'content-type': 'application/json' };
  const call = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${site.url}/api${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const { data } = (await response.json()) as { data: Data };
    assert.ok(response.ok && data, path);
    return data;
  };
  await call('PATCH', '/v1/me/notifications', { forecasts: true });
  const source = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' };
  const request = { source, horizon: 3, models: ['seasonal_naive'], title: 'Prices <next> quarter' };
  const { forecast_id: id, slug } = await call<Started>('POST', '/v1/ensemble-forecasts', request);
  // The email waits a minute, which the test ends as soon as its job is there.
  await waitFor(
    () =>
      sql`UPDATE queue.job SET start_after = now() WHERE data ? 'notificationMailId' RETURNING id`.execute(
        database.query(),
      ),
    ({ rows }) => rows.length > 0,
  );
  const [mail] = await site.mail.mailsTo(account.email);
  assert.ok(mail);
  assert.match(headerOf(mail.headers, 'from') ?? '', /almanac@mail\.example/);
  const link = `${site.url}/forecasts/${slug}`;
  assert.ok(mail.text.includes(`\n"Prices <next> quarter" has completed.\n${link}\n`), mail.text);
  const cookies = await withSession(site.identity, account.email);
  const page = await fetch(link, { headers: cookies });
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Prices &lt;next&gt; quarter/);
  assert.equal((await call<{ status: string }>('GET', `/v1/ensemble-forecasts/${id}`)).status, 'completed');
  const unsubscribe = /<(.+)>/.exec(headerOf(mail.headers, 'list-unsubscribe') ?? '')?.[1] ?? '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  assert.equal((await fetch(unsubscribe, { method: 'POST', body })).status, 200);
  const settings = await waitFor(
    () => call<{ forecasts: boolean; last_email: { state: string } }>('GET', '/v1/me/notifications'),
    ({ last_email }) => last_email.state !== 'queued',
  );
  assert.deepEqual([settings.forecasts, settings.last_email.state], [false, 'sent']);
  assert.equal(site.mail.mails.length, 1);
});
