import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { testAccount } from '../../../../test/support/datasets/bigquery-accounts.ts';
import { readAccount } from '../../../../test/support/datasets/bigquery-scene.ts';
import { readServiceAccount } from './service-account.ts';

const GOOGLE = 'https://oauth2.googleapis.com/token';
const FILE = testAccount().file(GOOGLE);
const PEM = FILE.private_key ?? '';

const pemOf = (type: 'ec' | 'rsa', options: object, format: 'pkcs8' | 'pkcs1' = 'pkcs8'): string => {
  const { privateKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
  return String(privateKey.export({ type: format, format: 'pem' }));
};

test('reads the key file of a service account', async () => {
  for (const uri of [GOOGLE, 'http://127.0.0.1:9/token', 'https://localhost/x', 'http://[::1]:80/token']) {
    const account = await readAccount({ ...FILE, token_uri: uri });
    const { key, ...facts } = account;
    assert.deepEqual(facts, { clientEmail: FILE.client_email, keyId: FILE.private_key_id, tokenUri: uri });
    assert.equal(key.type, 'private');
    assert.ok(!inspect(account, { showHidden: true, depth: 9 }).includes(PEM.slice(40, 80)));
  }
});

test('refuses any other file, with an error that names the setting and contains no part of the file', async () => {
  const short = pemOf('rsa', { modulusLength: 1_024 });
  const files: unknown[] = [
    '',
    'SECRET',
    '{"private_key":"SECRET"',
    '[]',
    '"SECRET"',
    'x'.repeat(65 * 1024),
    { ...FILE, type: 'authorized_user' },
    { ...FILE, client_email: undefined },
    { ...FILE, client_email: 'SECRET' },
    { ...FILE, client_email: 'SECRET@a\nb' },
    { ...FILE, private_key_id: '' },
    { ...FILE, private_key_id: 7 },
    { ...FILE, private_key: 'SECRET' },
    { ...FILE, private_key: PEM.replace(/\n.{40}/, '\nSECRET') },
    { ...FILE, private_key: short },
    { ...FILE, private_key: pemOf('ec', { namedCurve: 'P-256' }) },
    { ...FILE, private_key: pemOf('rsa', { modulusLength: 2_048 }, 'pkcs1') },
    ...[
      undefined,
      'https://oauth2.googleapis.com/token/',
      'https://oauth2.googleapis.com.SECRET.example/token',
      'https://accounts.google.com/o/oauth2/token',
      'http://oauth2.googleapis.com/token',
      'http://10.0.0.1/token',
      'http://user:SECRET@127.0.0.1/token',
      'ftp://127.0.0.1/token',
      'http://127.0.0.1.SECRET.example/',
      'SECRET',
    ].map((uri) => ({ ...FILE, token_uri: uri })),
  ];
  const parts = ['SECRET', PEM.slice(40, 80), short.slice(40, 80), FILE.private_key_id ?? '', 'gserviceaccount'];
  for (const [i, file] of files.entries()) {
    const error = await readAccount(file).then(
      () => assert.fail(`file ${i} was read`),
      (thrown: unknown) => thrown as Error,
    );
    assert.equal(error.name, 'ConfigError', `file ${i}`);
    assert.match(
      error.message,
      /^ALMANAC_BIGQUERY_CREDENTIALS must name the key file of a service account: .+\. Create a/,
    );
    const shown = inspect(error, { showHidden: true, depth: 9 });
    for (const part of parts) assert.ok(!shown.includes(part), `file ${i}: ${part}`);
  }
});

test('refuses a path that cannot be read', async () => {
  for (const path of ['/no/such/SECRET', import.meta.dirname]) {
    assert.throws(() => readServiceAccount(path), {
      name: 'ConfigError',
      message: 'ALMANAC_BIGQUERY_CREDENTIALS must name a file that can be read.',
    });
  }
});
