import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { createIdentityContext } from '../../compose/index.ts';
import { migrate, systemClock } from '../../platform/index.ts';
import { authenticateSession, listSessions } from '../index.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import * as callers from './0001-callers.ts';
import { identityMigrations } from './index.ts';

const first = { domain: 'identity', migrations: { '0001-callers': callers } };

forEachDatabase('an upgrade keeps sessions signed in', { migrations: [first] }, async ({ database }) => {
  const secret = newSecret('alm_ses_');
  await sql`
    INSERT INTO account VALUES ('usr_1', 'a@example.org', true, NULL, 'free', false, now(), now())
  `.execute(database.query());
  await sql`
    INSERT INTO browser_session VALUES
      ('ses_1', 'usr_1', ${hashSecret(secret)}, NULL, now() - interval '10 days', now() + interval '4 days')
  `.execute(database.query());
  const now = async () => {
    const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(database.query());
    return rows[0]?.now.getTime() ?? Number.NaN;
  };
  const before = await now();
  await migrate(database, [identityMigrations]);
  const after = await now();
  const identity = createIdentityContext({ database, clock: systemClock });
  assert.equal((await authenticateSession(identity, secret))?.accountId, 'usr_1');
  const [session] = await listSessions(identity, 'usr_1');
  const lastUse = session?.last_used_at.getTime() ?? 0;
  assert.ok(before <= lastUse && lastUse <= after, 'the session counts as used at the upgrade');
});
