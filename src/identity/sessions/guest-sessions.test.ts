import assert from 'node:assert/strict';
import { DAY, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { authenticateGuest, createGuest, findGuest, removeExpiredSessions } from '../index.ts';
import { newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

forEachDatabase(
  'authenticates a guest by its secret for thirty days',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const [guest, other] = [await createGuest(identity), await createGuest(identity)];
    assert.match(guest.guestId, /^gst_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.notEqual(guest.guestId, other.guestId);
    const expiresAt = new Date(identity.clock.now().getTime() + 30 * DAY);
    assert.deepEqual(await findGuest(identity, guest.secret), { guestId: guest.guestId, expiresAt });
    assert.deepEqual(await authenticateGuest(identity, guest.secret), { kind: 'guest', guestId: guest.guestId });
    for (const nonsense of [newSecret('alm_gst_'), `${guest.secret}x`, '', guest.guestId])
      assert.equal(await authenticateGuest(identity, nonsense), null, nonsense);

    identity.clock.advance(30 * DAY - 1);
    assert.ok(await authenticateGuest(identity, guest.secret));
    identity.clock.advance(1);
    assert.equal(await authenticateGuest(identity, guest.secret), null);
    await removeExpiredSessions(identity);
    const kept = await database.query<IdentityTables>().selectFrom('guest_session').select('id').execute();
    assert.equal(kept.length, 2, 'the forecasts of guests refer to their sessions');
  },
);
