import assert from 'node:assert/strict';
import { makeAccount, PASSWORD } from '../../test/support/identity/callers.ts';
import { movableIdentity } from '../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { tablesShowing } from '../../test/support/snapshots/rows.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { SCOPES } from '../contract/index.ts';
import { authenticateKey, createApiKey, createGuest, signIn } from './index.ts';

forEachDatabase('no secret stands in any column of any table', { migrations: MIGRATIONS }, async ({ database }) => {
  const identity = movableIdentity(database);
  const { id: accountId, email } = await makeAccount(identity);
  const personal = await createApiKey(identity, { accountId, name: 'personal', scopes: SCOPES });
  const service = await createApiKey(identity, { accountId, name: 'service', scopes: SCOPES, kind: 'service' });
  await authenticateKey(identity, personal.key);
  const session = await signIn(identity, { email, password: PASSWORD, userAgent: 'a browser' });
  const guest = await createGuest(identity);
  assert.ok(session);

  assert.deepEqual(
    await tablesShowing(database, 'a browser'),
    ['public.browser_session', 'public.security_event'],
    'the search finds things',
  );
  assert.deepEqual(await tablesShowing(database, PASSWORD), []);
  for (const secret of [personal.key, service.key, session.secret, guest.secret]) {
    assert.deepEqual(await tablesShowing(database, secret), []);
    // A key's hint is four characters of it; no more than those may be kept.
    assert.deepEqual(await tablesShowing(database, secret.slice(0, 13)), []);
    assert.deepEqual(await tablesShowing(database, secret.slice(-8)), []);
  }
});
