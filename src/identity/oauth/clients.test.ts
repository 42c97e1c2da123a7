import assert from 'node:assert/strict';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { tablesContaining } from '../../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { readClientMetadata } from './adapter.ts';
import { createClient, listClients, removeClient } from './clients.ts';

forEachDatabase('creates, lists and removes clients', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const open = await createClient(identity, { name: ' Console ', redirectUris: ['http://127.0.0.1/callback'] });
  assert.deepEqual(Object.keys(open), ['client_id']);
  assert.match(open.client_id, /^app_[0-9A-Z]{26}$/);
  identity.clock.advance(1_000);
  const closed = await createClient(identity, {
    name: 'Warehouse',
    redirectUris: ['https://app.example/a', 'https://app.example/b'],
    confidential: true,
    uri: 'https://app.example',
  });
  assert.match(String(closed.client_secret), /^alm_cls_\w{49}$/);
  assert.deepEqual(await tablesContaining(database, String(closed.client_secret)), []);

  assert.deepEqual(await listClients(identity), [
    {
      client_id: open.client_id,
      name: 'Console',
      uri: null,
      redirect_uris: ['http://127.0.0.1/callback'],
      confidential: false,
      created_at: '2026-03-01T09:30:00.120Z',
    },
    {
      client_id: closed.client_id,
      name: 'Warehouse',
      uri: 'https://app.example',
      redirect_uris: ['https://app.example/a', 'https://app.example/b'],
      confidential: true,
      created_at: '2026-03-01T09:30:01.120Z',
    },
  ]);
  assert.equal((await readClientMetadata(database, open.client_id))?.application_type, 'native');
  assert.equal(
    (await readClientMetadata(database, closed.client_id))?.token_endpoint_auth_method,
    'client_secret_basic',
  );
  assert.equal(await removeClient(identity, open.client_id), true);
  assert.equal(await removeClient(identity, open.client_id), false);
  assert.equal(await readClientMetadata(database, open.client_id), undefined);
  for (const id of ['', 'app_unknown', 'a\u0000b', '\ud800'])
    assert.equal(await readClientMetadata(database, id), undefined);
});

forEachDatabase('checks the name and the home page of a client', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const good = { name: 'Console', redirectUris: ['https://app.example/'] };
  for (const name of ['', '   ', 'a'.repeat(101), 'a\u0000b', 'two\nlines', 'Alm\u202eanac', 'Alm\u200banac']) {
    await assert.rejects(createClient(identity, { ...good, name }), { code: 'INVALID_REQUEST', message: /^name: / });
  }
  for (const uri of ['app.example', 'javascript:alert(1)', `https://app.example/${'a'.repeat(2_000)}`]) {
    await assert.rejects(createClient(identity, { ...good, uri }), { code: 'INVALID_REQUEST', message: /^uri: / });
  }
  await assert.rejects(createClient(identity, { ...good, redirectUris: ['x'] }), { message: /^redirect_uri: / });
  assert.deepEqual(await listClients(identity), []);
});
