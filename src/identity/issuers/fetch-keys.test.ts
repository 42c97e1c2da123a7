import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type LookupFunction } from 'node:net';
import { after, before, test } from 'node:test';
import { checkKeySetUrl, fetchKeys, IssuerError } from './fetch-keys.ts';

const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

let jwksUri: string;
const issuerServer = createServer((request, response) => {
  const document = request.url === '/keys' ? { keys: [KEY] } : { issuer, jwks_uri: jwksUri };
  response.end(JSON.stringify(document));
});
let connections = 0;
const otherServer = createSocketServer((socket) => {
  connections += 1;
  socket.destroy();
});
let issuer: string;
let otherPort: number;

before(async () => {
  issuerServer.listen(0, '127.0.0.1');
  otherServer.listen(0);
  await Promise.all([once(issuerServer, 'listening'), once(otherServer, 'listening')]);
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`;
  otherPort = (otherServer.address() as AddressInfo).port;
});
after(() => {
  issuerServer.close();
  otherServer.close();
});

test('accepts a key set URL with https, or with http on loopback', () => {
  for (const address of ['https://keys.elsewhere.example/v1?tenant=a', 'http://localhost:9001/keys']) {
    assert.equal(checkKeySetUrl(address), address);
  }
  for (const address of [
    'http://login.example/keys',
    'http://169.254.169.254/latest/meta-data',
    'https://user:password@login.example/keys',
    'ftp://127.0.0.1/keys',
    '/keys',
    ['https://login.example/keys'],
    undefined,
  ]) {
    assert.throws(() => checkKeySetUrl(address), IssuerError, String(address));
  }
});

test('fetches the key set of an issuer on loopback from its own origin', async () => {
  jwksUri = `${issuer}/keys`;
  assert.deepEqual(await fetchKeys(issuer, 30_000), { keys: [KEY] });
});

test('refuses a key set at a private address of another origin, however it is written', async () => {
  const hosts = [
    ...['127.0.0.1', '0.0.0.0', '[::]', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'localhost.', '2130706433'],
    ...['169.254.169.254', '10.0.0.5', '[fd00::1]'],
  ];
  for (const host of hosts) {
    jwksUri = `https://${host}:${otherPort}/keys`;
    await assert.rejects(fetchKeys(issuer, 30_000), { kind: 'not_public' }, jwksUri);
  }
  // The name of another machine that resolves to this one.
  jwksUri = `https://keys.elsewhere.example:${otherPort}/keys`;
  const lookup: LookupFunction = (_hostname, options, callback) =>
    options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
  await assert.rejects(fetchKeys(issuer, 30_000, { lookup }), { kind: 'not_public' });
  assert.equal(connections, 0);
});

test('fetches a key set at a private address of another origin that the operator allowed', async () => {
  const keyServer = createServer((_request, response) => response.end(JSON.stringify({ keys: [KEY] })));
  keyServer.listen(0, '127.0.0.1');
  await once(keyServer, 'listening');
  try {
    jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
    await assert.rejects(fetchKeys(issuer, 30_000, { allow: ['10.0.0.0/8'] }), { kind: 'not_public' });
    assert.deepEqual(await fetchKeys(issuer, 30_000, { allow: ['127.0.0.1'] }), { keys: [KEY] });
  } finally {
    keyServer.close();
  }
});
