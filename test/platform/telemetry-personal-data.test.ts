import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposeMetrics } from '../../src/compose/index.ts';
import { beginTrace, runInSpan } from '../../src/platform/index.ts';
import { type Caller, create, FORECASTS, openForecastService, waitFor } from '../support/forecasts/forecast-service.ts';
import { makeAccount, PASSWORD } from '../support/identity/callers.ts';
import { startCollector } from '../support/platform/collector.ts';
import { testedKind } from '../support/platform/database.ts';
import { readMetricsPage } from '../support/platform/metrics-page.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const ADDRESSES = ['203.0.113.77', '2001:db8::77'];
const AGENT = 'Privaatbrowser/7.7';
const TITLE = 'Umsatz von Frau Beispiel';

/** Patterns of all addresses, keys and ids. */
const PATTERNS = {
  'an email address': /[\w.+-]+@[\w-]+\.\w+/,
  'a credential': /alm_[a-z]{3}_\w+/,
  'an id': /\b(usr|gst|key|ses|ef|ws|snap|lnk|sev)_[0-9A-Za-z]{6,}/,
  'a network address': /\b(?!127\.0\.0\.1\b)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/,
};

test('keeps personal data of every caller out of spans, metrics and the log', async () => {
  await using collector = await startCollector();
  await using telemetry = await openTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ALMANAC_METRICS: '127.0.0.1:0',
  });
  await using service = await openForecastService(testedKind, { worker: true });
  const { app, database, identity } = service;
  exposeMetrics({ database }, telemetry);
  const { id: accountId, email } = await makeAccount(identity);
  const person = await service.account();
  const guest = await service.guest();
  const send = (method: string, url: string, from: Partial<Caller> = {}, payload?: object) =>
    app.inject({
      method: method as 'GET',
      url,
      remoteAddress: ADDRESSES[url.length % 2] as string,
      headers: { 'user-agent': AGENT, 'x-forwarded-for': ADDRESSES[0], baggage: `who=${email}`, ...from.credentials },
      ...(payload && { payload }),
    });

  const signedIn = await send('POST', '/api/v1/sessions', {}, { email, password: PASSWORD });
  assert.equal(signedIn.statusCode, 201);
  const session = String(signedIn.headers['set-cookie']).split(/[=;]/)[1] ?? '';
  await send('POST', '/api/v1/sessions', {}, { email, password: 'a wrong password' });
  await send('GET', '/api/v1/me/access', person);
  await send('GET', `/api/v1/me/access?email=${email}`, person);
  await send('GET', `/api/v1/me/api-keys/${email}`, person);
  await send('GET', `/nowhere/${email}/${accountId}`, person);
  await send('GET', `/%ff?${email}`);
  await send('POST', '/api/v1/me/api-keys', person, { name: email, scopes: ['nonsense'] });
  const made = await send('POST', '/api/v1/me/api-keys', person, { name: TITLE, scopes: ['account:read'] });
  const key: string = made.json().data.key;
  await send('POST', '/api/v1/market-search', person, { query: TITLE });
  const forecasts: string[] = [];
  for (const caller of [person, guest]) {
    const { data } = await create(caller, { title: TITLE });
    forecasts.push(data.forecast_id, data.slug);
    await waitFor(
      () => caller.request<{ status: string }>('GET', `${FORECASTS}/${data.forecast_id}`),
      (reply) => reply.data.status === 'completed',
    );
  }
  // An error of the database that quotes an address.
  const span = beginTrace({ name: 'failing', kind: 'internal' });
  assert.ok(span);
  await assert.rejects(runInSpan(span, () => makeAccount(identity, { email })));

  const page = await telemetry.pageText();
  const { value } = readMetricsPage(page);
  assert.equal(value('almanac_sign_ins_total', { outcome: 'signed_in' }), 1);
  assert.equal(value('almanac_sign_ins_total', { outcome: 'refused' }), 1);
  await telemetry.stop();
  const spans = collector.received();
  assert.ok(collector.spans().length > 100);
  for (const name of ['failing', 'job forecasts', 'fit ets', 'POST /api/v1/sessions', 'db select']) {
    assert.ok(
      collector.spans().some((one) => one.name === name),
      name,
    );
  }
  const credentials = [person, guest].flatMap(({ credentials: sent }) => Object.values(sent).map(secretOf));
  const personal = [
    email,
    accountId,
    person.accountId,
    AGENT,
    TITLE,
    PASSWORD,
    session,
    key,
    ...ADDRESSES,
    ...forecasts,
  ];
  for (const [where, text] of Object.entries({ spans, page, log: telemetry.logged() })) {
    for (const value of [...personal, ...credentials]) {
      assert.ok(typeof value === 'string' && value.length > 5, 'there is something to search for');
      assert.ok(!text.includes(value), `${value} is in the ${where}`);
    }
    for (const [what, pattern] of Object.entries(PATTERNS)) {
      assert.equal(pattern.exec(text)?.[0], undefined, `${what} is in the ${where}`);
    }
  }
});

function secretOf(header: string): string {
  return header.replace(/^.*[ =]/, '');
}
