import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../test/support/identity/callers.ts';
import { movableIdentity } from '../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { tablesContaining } from '../../test/support/platform/rows.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { SCOPES } from '../contract/index.ts';
import { authenticateKey, createApiKey, createGuest, signIn } from './index.ts';

forEachDatabase('stores no secret in any column of any table', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId, email } = await makeAccount(identity);
  const personal = await createApiKey(identity, { accountId, name: 'personal', scopes: SCOPES });
  const service = await createApiKey(identity, { accountId, name: 'service', scopes: SCOPES, kind: 'service' });
  await authenticateKey(identity, personal.key);
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: 'a browser' });
  const guest = await createGuest(identity);
  assert.ok(session);

  assert.deepEqual(
    await tablesContaining(database, 'a browser'),
    ['public.browser_session', 'public.security_event'],
    'the search finds stored text',
  );
  assert.deepEqual(await tablesContaining(database, PASSWORD), []);
  for (const secret of [personal.key, service.key, session.secret, guest.secret]) {
    assert.deepEqual(await tablesContaining(database, secret), []);
    // A key's hint has four characters of its secret; no more may be stored.
    assert.deepEqual(await tablesContaining(database, secret.slice(0, 13)), []);
    assert.deepEqual(await tablesContaining(database, secret.slice(-8)), []);
  }
});
