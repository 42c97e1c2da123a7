import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { openOAuthSite } from '../../support/identity/oauth-site.ts';
import { forEachDatabase } from '../../support/platform/database.ts';
import { postForm } from './application.ts';

const FORM = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'app_x' };
const AUTHORIZE = '/auth/oauth/authorize?client_id=app_x&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2F';
const INSIDE = /oauth_client|oauth_record|relation|node_modules|at \w+ \(|\.[jt]s:\d|oops/;

forEachDatabase(
  'reports an internal error to the log only',
  { migrations: MIGRATIONS, only: 'pglite' },
  async ({ database, cleanup }) => {
    const site = await openOAuthSite(database);
    cleanup(() => site.app.close());
    await sql`DROP TABLE oauth_client CASCADE`.execute(database.query());
    const token = await postForm(`${site.url}/auth/oauth/token`, FORM);
    assert.equal(token.status, 500);
    assert.deepEqual(token.body, {
      error: 'server_error',
      error_description: 'An internal error occurred. The log has the details under this request id.',
    });
    const page = await fetch(`${site.url}${AUTHORIZE}`, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 500);
    const text = await page.text();
    assert.match(text, /An internal error occurred/);
    assert.match(text, new RegExp(page.headers.get('x-request-id') ?? 'none'));
    assert.doesNotMatch(text, INSIDE);
    const faults = site
      .logged()
      .split('\n')
      .filter((line) => line.includes('error in the OAuth provider'))
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      faults.map(({ request_id }) => request_id),
      [token.headers.get('x-request-id'), page.headers.get('x-request-id')],
    );
    for (const { err } of faults) assert.match(err.message, /oauth_client/);
  },
);

forEachDatabase(
  'reports an unavailable database',
  { migrations: MIGRATIONS, only: 'pglite' },
  async ({ database, cleanup }) => {
    const site = await openOAuthSite(database);
    cleanup(() => site.app.close());
    assert.equal((await postForm(`${site.url}/auth/oauth/token`, FORM)).status, 401);
    await database.close();
    const { status, body, headers } = await postForm(`${site.url}/auth/oauth/token`, FORM);
    assert.deepEqual([status, body.error], [503, 'temporarily_unavailable']);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.match(site.logged(), /database unavailable/);

    const cold = await openOAuthSite(database);
    cleanup(() => cold.app.close());
    const refused = await fetch(`${cold.url}/auth/oauth/jwks`);
    assert.equal(refused.status, 503);
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, 'UNAVAILABLE');
  },
);
