import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox } from '../../../test/support/platform/mailbox.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { redeemVerification } from '../links/redeem-links.ts';
import { requestVerification } from '../links/request-links.ts';
import { readBouncedAt, recordBounce } from './email-address.ts';

forEachDatabase('verifying an address again ends its bounce', { migrations: MIGRATIONS }, async ({ database }) => {
  await using mailbox = await openMailbox(movableIdentity(database));
  const { identity } = mailbox;
  const { id: accountId, email } = await makeAccount(identity, { password: null });
  const now = identity.clock.now();
  assert.equal(await readBouncedAt(database, accountId), null);
  await assert.rejects(requestVerification(identity, { accountId }), /already verified/);
  assert.equal(await recordBounce(database, { accountId, email: 'other@example.org', now }), false);
  assert.equal(await recordBounce(database, { accountId, email, now }), true);
  identity.clock.advance(1_000);
  assert.equal(await recordBounce(database, { accountId, email, now: identity.clock.now() }), false);
  assert.deepEqual(await readBouncedAt(database, accountId), now, 'the first bounce is kept');
  await requestVerification(identity, { accountId });
  const secret = await mailbox.nextSecret();
  assert.deepEqual(await redeemVerification(identity, secret), { email });
  assert.equal(await readBouncedAt(database, accountId), null);
  await assert.rejects(requestVerification(identity, { accountId }), /already verified/);
});
