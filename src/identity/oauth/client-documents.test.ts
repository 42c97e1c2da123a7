import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocumentId, readClientDocument } from './client-documents.ts';
import { documentHost, isDocumentId } from './configuration.ts';

const ID = 'https://agent.example/oauth/client.json';
const CALLBACK = 'https://agent.example/callback';

function read(changes: Record<string, unknown> = {}) {
  return readClientDocument(ID, JSON.stringify({ client_id: ID, redirect_uris: [CALLBACK], ...changes }));
}

test('reads only the fields that the service uses', () => {
  const { metadata, unusable } = read({
    client_name: 'Harbor Agent',
    client_uri: 'https://agent.example/about',
    redirect_uris: [CALLBACK, 'https://beta.agent.example/callback', 'http://127.0.0.1/callback'],
    jwks_uri: 'https://127.0.0.1/keys',
    sector_identifier_uri: 'https://127.0.0.1/sectors',
    logo_uri: 'https://127.0.0.1/logo.png',
    grant_types: ['implicit'],
    scope: 'admin',
    token_endpoint_auth_method: 'none',
  });
  assert.deepEqual(metadata, {
    client_id: ID,
    client_name: 'Harbor Agent',
    client_uri: 'https://agent.example/about',
    redirect_uris: [CALLBACK, 'https://beta.agent.example/callback', 'http://127.0.0.1/callback'],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: 'none',
  });
  assert.equal(unusable.size, 0);
});

test('shows the name as one visible line, or the host in its place', () => {
  const nameOf = (client_name: unknown) => read({ client_name }).metadata.client_name;
  assert.equal(nameOf(' Harbor\n\tAgent\u0000 '), 'Harbor Agent');
  assert.equal(nameOf('Har\u200bbor \u202eAgent\u2066'), 'Harbor Agent');
  assert.equal(nameOf('Har\u034fbor\u3164\u2800 Agent\u{1d159}'), 'Harbor Agent');
  assert.equal(nameOf('x'.repeat(60_000)), 'x'.repeat(100));
  for (const name of [undefined, null, 7, '', ' \u200b\u2028', '\ud800\u2800', { toString: 'x' }]) {
    assert.match(String(nameOf(name)), name === '\ud800\u2800' ? /^\ufffd|agent\.example$/ : /^agent\.example$/);
  }
});

test('ignores a home page that is not at the host of the document', () => {
  const { client_uri } = read({ client_uri: 'https://www.agent.example' }).metadata;
  assert.equal(client_uri, 'https://www.agent.example/');
  const others = [
    'https://bank.example',
    'http://agent.example',
    'javascript:alert(1)',
    'https://xagent.example',
    7,
    'https://bank.example@agent.example/',
  ];
  for (const uri of [...others, `https://agent.example/${'x'.repeat(600)}`]) {
    assert.equal('client_uri' in read({ client_uri: uri }).metadata, false, String(uri));
  }
});

test('refuses a document that is not one of this client', () => {
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ['', /is not JSON/],
    ['<html>', /is not JSON/],
    ['null', /is not a JSON object/],
    ['[]', /is not a JSON object/],
    ['{}', /names another client_id/],
    [JSON.stringify({ client_id: `${ID}/`, redirect_uris: [CALLBACK] }), /names another client_id/],
    [JSON.stringify({ client_id: [ID], redirect_uris: [CALLBACK] }), /names another client_id/],
  ];
  for (const [text, message] of cases) assert.throws(() => readClientDocument(ID, text), message, text);
});

test('refuses secrets and other authentication of the client', () => {
  assert.throws(() => read({ client_secret: 's' }), /contains a client_secret/);
  for (const method of ['client_secret_basic', 'private_key_jwt', null, 7, ['none']]) {
    assert.throws(() => read({ token_endpoint_auth_method: method }), /token_endpoint_auth_method none/);
  }
});

test('refuses a document without a usable redirect URI, and names the rule', () => {
  const many = Array.from({ length: 21 }, (_, i) => `${CALLBACK}/${i}`);
  for (const uris of [undefined, null, [], 'https://agent.example/', [7], [CALLBACK, null], many]) {
    assert.throws(() => read({ redirect_uris: uris }), /must have 1 to 20 redirect_uris/);
  }
  const cases: readonly (readonly [uri: string, message: RegExp])[] = [
    ['https://evil.example/callback', /must be at the host of the client_id or below it/],
    ['https://agent.example:8443/callback', /must be at the host/],
    ['https://agent.example.evil.example/callback', /must be at the host/],
    ['https://evilagent.example/callback', /must be at the host/],
    ['http://agent.example/callback', /must use https/],
    ['javascript:alert(1)', /must use https/],
    ['cursor://callback', /private-use scheme with a dot/],
    ['https://agent.example/*', /wildcards/],
    ['https://agent.example/#a', /fragment/],
    ['https://user@agent.example/', /user name/],
  ];
  for (const [uri, message] of cases) {
    assert.throws(() => read({ redirect_uris: [uri] }), message, uri);
    const { metadata, unusable } = read({ redirect_uris: [uri, CALLBACK] });
    assert.deepEqual(metadata.redirect_uris, [CALLBACK], uri);
    assert.match(unusable.get(uri) ?? '', message, uri);
  }
});

test('the URL of a document has one spelling and a path', () => {
  assert.equal(isDocumentId(ID), true);
  assert.equal(isDocumentId('app_01j00000000000000000000000'), false);
  assert.equal(documentHost('https://xn--bcher-kva.example:8443/c'), 'xn--bcher-kva.example:8443');
  assert.equal(documentHost('app_01j00000000000000000000000'), null);
  checkDocumentId(ID);
  for (const id of [
    'https://AGENT.example/c',
    'https://agent.example:443/c',
    'https://bücher.example/c',
    'https://0x7f.1/c',
  ]) {
    assert.throws(() => checkDocumentId(id), /full form/, id);
  }
  assert.throws(() => checkDocumentId('https://agent.example/'), /without a path/);
  assert.throws(() => checkDocumentId(`https://agent.example/${'x'.repeat(500)}`), /more than 500/);
});
