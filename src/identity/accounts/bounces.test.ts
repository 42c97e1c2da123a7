import assert from 'node:assert/strict';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { openMailbox } from '../../../test/support/platform/mailbox.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { redeemVerification } from '../links/redeem-verification.ts';
import { requestVerification } from '../links/request-verification.ts';
import { bouncedSince, recordBounce } from './bounces.ts';

forEachDatabase(
  'an address whose mails come back can be verified anew, which ends it',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    await using mailbox = await openMailbox(movableIdentity(database));
    const { identity } = mailbox;
    const { id: accountId, email } = await makeAccount(identity, { password: null });
    const now = identity.clock.now();
    assert.equal(await bouncedSince(database, accountId), null);
    await assert.rejects(requestVerification(identity, { accountId }), /verified already/);
    assert.equal(await recordBounce(database, { accountId, email: 'other@example.org', now }), false);
    assert.equal(await recordBounce(database, { accountId, email, now }), true);
    identity.clock.advance(1_000);
    assert.equal(await recordBounce(database, { accountId, email, now: identity.clock.now() }), false);
    assert.deepEqual(await bouncedSince(database, accountId), now, 'the first time counts');
    await requestVerification(identity, { accountId });
    const secret = await mailbox.nextSecret();
    assert.deepEqual(await redeemVerification(identity, secret), { email });
    assert.equal(await bouncedSince(database, accountId), null);
    await assert.rejects(requestVerification(identity, { accountId }), /verified already/);
  },
);
