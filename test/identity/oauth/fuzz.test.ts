import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { listClients } from '../../../src/identity/index.ts';
import { type HttpResponse, send } from '../../support/api/http.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../support/platform/database.ts';
import { type Application, CALLBACK, makeApplication, makePerson, type Person } from './application.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';

/** The number of requests; a soak test sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 300);

let fixture: TestDatabase;
let site: OAuthSite;
let application: Application;
let person: Person;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  site = await openOAuthSite(fixture.database);
  application = await makeApplication(site);
  person = await makePerson(site);
  await application.signIn(person.browser);
});
after(async () => {
  await site?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

function validFields(): Record<string, string> {
  return {
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    resource: site.url,
    grant_type: 'refresh_token',
    refresh_token: 'unknown',
  };
}

function exchange({ endpoint, changes, fields, headers, signedIn }: HostileRequest): Promise<HttpResponse> {
  const [method = '', path = ''] = endpoint.split(' ');
  const params = new URLSearchParams(changes ? validFields() : {});
  for (const [name, value] of fields) params[changes ? 'set' : 'append'](name, value.toWellFormed());
  const cookie = person.browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return send(Number(new URL(site.url).port), {
    method,
    path: method === 'POST' ? path : `${path}?${params}`,
    headers: { ...form, ...headers, ...(signedIn && { cookie }) },
    ...(method === 'POST' && { body: params.toString() }),
  });
}

function checkAnswer({ status, headers, body }: HttpResponse): void {
  const text = String(body);
  assert.ok(status < 500, `${status} ${text.slice(0, 500)}`);
  assert.ok(headers['x-request-id']);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(text, /node_modules|at \w+ \(|\.js:\d|SELECT|oauth_record/, 'no internal details');
  assert.doesNotMatch(text, /"access_token":|"refresh_token":/, 'no token without a grant');
  const { location } = headers;
  if (location) assert.match(location, /^\/auth\/|^http:\/\/127\.0\.0\.1:54321\/callback[?#]/, 'no open redirect');
}

test('the provider answers every generated request without an internal error', async (context) => {
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(hostileRequests, async (request) => {
    const answer = await exchange(request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    checkAnswer(answer);
  });
  const seed = Number(process.env.FUZZ_SEED ?? 20);
  await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true, seed });
  context.diagnostic(
    [...statuses]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  );
  // Requests that are all refused early would prove nothing.
  for (const status of [200, 303, 400, 401, 405]) assert.ok(statuses.has(status), `no response had status ${status}`);
  assert.doesNotMatch(site.logged(), /"level":(50|60)/);
  assert.equal((await listClients(site.identity)).length, 1, 'no client was registered');
});
