import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import * as openid from 'openid-client';
import { listClients, listGrants, removeExpiredOAuth } from '../../../src/identity/index.ts';
import { saveGrant } from '../../../src/identity/oauth/adapter.ts';
import { newRecord } from '../../../src/identity/oauth/records.ts';
import type { Database } from '../../../src/platform/index.ts';
import { type ClientDocumentServer, startClientDocumentServer } from '../../support/identity/client-document-server.ts';
import { type OAuthSite, openOAuthSite } from '../../support/identity/oauth-site.ts';
import { accessWith, CALLBACK, makeApplication, makePerson, type Person, postForm } from './application.ts';

export interface DocumentScene {
  readonly database: Database;
  /** A site that may contact loopback addresses. */
  readonly site: OAuthSite;
  readonly documents: ClientDocumentServer;
  readonly person: Person;
}

export async function openDocumentScene(database: Database, site: OAuthSite): Promise<DocumentScene & AsyncDisposable> {
  const documents = await startClientDocumentServer('http://127.0.0.1/callback');
  const person = await makePerson(site);
  return { database, site, documents, person, [Symbol.asyncDispose]: () => documents[Symbol.asyncDispose]() };
}

/** Tests applications that identify themselves by the URL of a document. */
export function testClientDocuments(scene: () => DocumentScene): void {
  async function isStored(clientId: string): Promise<boolean> {
    return (await listClients(scene().site.identity)).some(({ client_id }) => client_id === clientId);
  }

  function authorizeAddress(clientId: string, redirectUri = CALLBACK, url = scene().site.url): URL {
    const address = new URL(`${url}/auth/oauth/authorize`);
    address.search = String(
      new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        resource: `${url}/mcp`,
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      }),
    );
    return address;
  }

  /** Opens the address in the browser of the person, and returns the page at which the redirects end. */
  async function openPage(
    address: URL,
  ): Promise<{ readonly url: URL; readonly status: number; readonly text: string }> {
    let url = address;
    let response = await scene().person.browser.get(url);
    for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
      url = new URL(location, url);
      response = await scene().person.browser.get(url);
    }
    return { url, status: response.status, text: await response.text() };
  }

  test('an application signs in with the URL of its document, and is stored at consent', async () => {
    const { site, documents, person } = scene();
    const id = documents.serve('agent.json', { client_uri: `${documents.url}/about` });
    const { host } = new URL(documents.url);
    const consent = await openPage(authorizeAddress(id));
    assert.match(consent.text, /Allow Harbor Agent to use your account\?/);
    assert.ok(consent.text.includes(`The application comes from</dt><dd><strong>${host}</strong>`));
    assert.match(consent.text, /sent to<\/dt><dd>a program on this device \(127\.0\.0\.1:54321\)/);
    assert.ok(consent.text.includes(`Allow it only if you trust ${host}`));
    assert.equal(await isStored(id), false, 'not before consent');
    await person.browser.post(consent.url, { decision: 'deny' });
    assert.equal(await isStored(id), false, 'not after a denial');

    const application = await makeApplication(site, { id });
    let tokens = await application.signIn(person.browser);
    assert.equal(await accessWith(site, tokens.access_token), '200');
    assert.equal(await isStored(id), true);
    assert.equal(documents.requestsFor('agent.json'), 1, 'a document is kept for a few minutes');

    documents.answer('agent.json', (_request, response) => response.writeHead(503).end());
    tokens = await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '');
    const list = await fetch(`${site.url}/api/v1/me/applications`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const [grant] = ((await list.json()) as { data: { applications: { id: string; name: string }[] } }).data
      .applications;
    assert.equal(grant?.name, 'Harbor Agent');
    const revoked = await fetch(`${site.url}/api/v1/me/applications/${grant?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    assert.ok(revoked.ok);
    assert.equal(await accessWith(site, tokens.access_token), '401 UNAUTHENTICATED');
    await assert.rejects(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? ''), {
      error: 'invalid_grant',
    });
  });

  test('the sign-in page names the host of the document', async () => {
    const { site, documents } = scene();
    const id = documents.serve('visitor.json', { client_name: '<b>Almanac</b>' });
    const start = await fetch(authorizeAddress(id), { redirect: 'manual' });
    const cookie = start.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    const page = await fetch(new URL(start.headers.get('location') ?? '', site.url), {
      headers: { cookie: cookie.join('; ') },
    });
    assert.ok((await page.text()).includes(`&lt;b&gt;Almanac&lt;/b&gt; (${new URL(id).host})`));
  });

  test('the next consent stores the document as it is then', async () => {
    const { site, documents, person } = scene();
    const id = documents.serve('renamed.json', { client_name: 'Old name' });
    const application = await makeApplication(site, { id });
    await application.signIn(person.browser);
    const named = async () => (await listClients(site.identity)).find(({ client_id }) => client_id === id);
    const before = await named();
    assert.deepEqual([before?.name, before?.redirect_uris], ['Old name', ['http://127.0.0.1/callback']]);
    const documentClient = { id, name: 'New name', uri: null, redirect_uris: ['http://127.0.0.1/next'] };
    const grantId = `grt_${randomUUID()}`;
    const payload = { accountId: person.id, clientId: id };
    await saveGrant(site.identity, newRecord(new Date(), 'Grant', grantId, payload, 60), { documentClient });
    assert.deepEqual(await named(), { ...before, name: 'New name', redirect_uris: ['http://127.0.0.1/next'] });
  });

  test('refuses a hostile document with a page that states the reason, and stores nothing', async () => {
    const { site, documents } = scene();
    const text = (body: string) => (_: unknown, response: import('node:http').ServerResponse) => response.end(body);
    const cases: readonly (readonly [id: string, reason: RegExp])[] = [
      [documents.serve('other-id.json', { client_id: 'https://bank.example/client.json' }), /names another client_id/],
      [
        documents.serve('other-host.json', { redirect_uris: ['https://evil.example/'] }),
        /at the host of the client_id/,
      ],
      [documents.serve('secret.json', { client_secret: 'known to all' }), /contains a client_secret/],
      [
        documents.serve('keys.json', { token_endpoint_auth_method: 'private_key_jwt' }),
        /token_endpoint_auth_method none/,
      ],
      [documents.serve('none.json', { redirect_uris: [] }), /must have 1 to 20 redirect_uris/],
      [documents.serve('huge.json', { client_name: 'x'.repeat(70_000) }), /The reply is larger than allowed/],
      [documents.answer('page.html', text('<html>')), /is not JSON/],
      [documents.answer('list.json', text('[]')), /is not a JSON object/],
      [
        documents.answer('bytes.json', (_, response) => response.end(Buffer.from([0xff, 0xfe]))),
        /The reply is invalid/,
      ],
      [documents.answer('gone.json', (_, response) => response.writeHead(410).end()), /with the status 410/],
      [
        documents.answer('moved.json', (_, response) => response.writeHead(302, { location: '/agent.json' }).end()),
        /a redirect/,
      ],
      [documents.answer('cut.json', (_, response) => response.destroy()), /cannot be read/],
      [`${documents.url}/missing.json`, /with the status 404/],
      [`${documents.url}/`, /without a path/],
      [`${documents.url.replace('127.0.0.1', '127.1')}/agent.json`, /not written in its full form/],
      ['https://10.0.0.1/client.json', /not on the public internet/],
      ['https://169.254.169.254/latest/meta-data', /not on the public internet/],
      ['https://[::1]/client.json', /not on the public internet/],
      ['http://127.0.0.1/client.json', /client is invalid/],
      [`${documents.url}/../agent.json`, /client is invalid/],
      [`${documents.url}/agent.json#a`, /client is invalid/],
    ];
    const stored = await listClients(site.identity);
    for (const [id, reason] of cases) {
      const page = await fetch(authorizeAddress(id), { redirect: 'manual', headers: { accept: 'text/html' } });
      assert.equal(page.status, 400, id);
      const shown = (await page.text()).replaceAll('&quot;', '"');
      assert.match(shown, /The application sent an invalid request/, id);
      assert.match(shown, reason, id);
    }
    for (const name of ['other-id.json', 'huge.json', 'moved.json']) {
      assert.equal(documents.requestsFor(name), 1, 'the failure is kept for a moment');
    }
    const json = await fetch(authorizeAddress(`${documents.url}/list.json`), {
      headers: { accept: 'application/json' },
    });
    const { error, error_description } = (await json.json()) as Record<string, string>;
    assert.equal(error, 'invalid_client');
    assert.match(error_description ?? '', /is not a JSON object/);
    assert.deepEqual(await listClients(site.identity), stored);
  });

  test('sends no code to a redirect URI that breaks a rule or is not in the document', async () => {
    const { documents } = scene();
    const id = documents.serve('mixed.json', {
      redirect_uris: ['http://127.0.0.1/callback', 'https://evil.example/callback'],
    });
    for (const [uri, reason] of [
      ['https://evil.example/callback', /evil\.example\/callback.* must be at the host of the client_id or below it/],
      ['https://other.example/callback', /did not match/],
      ['http://127.0.0.1:1/other', /did not match/],
    ] as const) {
      const page = await openPage(authorizeAddress(id, uri));
      assert.equal(page.status, 400, uri);
      assert.match(page.text, reason, uri);
    }
    assert.equal((await openPage(authorizeAddress(id))).status, 200, 'another redirect URI works');
  });

  test('without an allowed range, a document on this machine is not requested', async () => {
    const { database, documents } = scene();
    const closed = await openOAuthSite(database);
    try {
      const id = documents.serve('private.json');
      const page = await fetch(authorizeAddress(id, CALLBACK, closed.url), { headers: { accept: 'text/html' } });
      assert.equal(page.status, 400);
      assert.match(await page.text(), /not on the public internet/);
      assert.equal(documents.requestsFor('private.json'), 0);
    } finally {
      await closed.app.close();
    }
  });

  test('the token endpoint knows only stored applications and requests no document', async () => {
    const { site, documents } = scene();
    const id = documents.serve('unknown.json');
    for (const path of ['token', 'revoke']) {
      const fields = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x', client_id: id };
      const { status, body } = await postForm(`${site.url}/auth/oauth/${path}`, fields);
      assert.deepEqual([status, body.error], [401, 'invalid_client']);
    }
    assert.equal(documents.requestsFor('unknown.json'), 0);
  });

  test('a document that disappears during the sign-in is reported on a page', async () => {
    const { database, site, documents, person } = scene();
    const id = documents.serve('brief.json');
    const consent = await openPage(authorizeAddress(id));
    assert.equal(consent.status, 200);
    const restarted = await openOAuthSite(database, { siteUrl: site.url });
    try {
      const sent = person.browser.cookies.filter(({ path }) => consent.url.pathname.startsWith(path));
      const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
      const page = await fetch(`${restarted.listensAt}${consent.url.pathname}`, { headers: { cookie } });
      assert.equal(page.status, 400);
      assert.match(await page.text(), /not on the public internet/);
      assert.doesNotMatch(restarted.logged(), /"level":(50|60)/);
    } finally {
      await restarted.app.close();
    }
  });

  test('sends no code to a redirect URI that the document lost during the sign-in', async () => {
    const { database, site, documents, person } = scene();
    const id = documents.serve('changing.json');
    const consent = await openPage(authorizeAddress(id));
    assert.equal(consent.status, 200);
    documents.serve('changing.json', { redirect_uris: ['http://127.0.0.1/other'] });
    // Another process has not kept the document.
    const environment = { ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8' };
    const restarted = await openOAuthSite(database, { siteUrl: site.url, environment });
    try {
      const sent = person.browser.cookies.filter(({ path }) => consent.url.pathname.startsWith(path));
      const page = await fetch(`${restarted.listensAt}${consent.url.pathname}`, {
        method: 'POST',
        headers: { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; '), origin: site.url },
        body: new URLSearchParams({ decision: 'allow' }),
        redirect: 'manual',
      });
      assert.equal(page.status, 400);
      assert.match(await page.text(), /no longer lists the address to which you would be sent/);
      assert.equal(await isStored(id), false);
    } finally {
      await restarted.app.close();
    }
  });

  test('an application without a grant is removed, but not one that is just being authorized', async () => {
    const { database, site, person } = scene();
    const id = 'https://agent.example/client.json';
    const documentClient = { id, name: 'Agent', uri: null, redirect_uris: ['https://agent.example/'] };
    for (let round = 0; round < 10; round++) {
      const grantId = `grt_${randomUUID()}`;
      const { id: accountId } = person;
      const consent = (seconds: number) =>
        saveGrant(
          site.identity,
          newRecord(
            new Date(),
            'Grant',
            seconds > 0 ? grantId : `${grantId}_old`,
            { accountId, clientId: id },
            seconds,
          ),
          { documentClient },
        );
      await consent(-60);
      await Promise.all([removeExpiredOAuth(site.identity), consent(60), removeExpiredOAuth(site.identity)]);
      await removeExpiredOAuth(site.identity);
      const grants = (await listGrants(site.identity, accountId)).filter(({ clientName }) => clientName === 'Agent');
      assert.deepEqual(
        grants.map((grant) => grant.id),
        [grantId],
      );
      await database
        .query<{ oauth_record: { id: string } }>()
        .deleteFrom('oauth_record')
        .where('id', '=', grantId)
        .execute();
      await removeExpiredOAuth(site.identity);
      assert.equal(await isStored(id), false);
    }
  });
}
