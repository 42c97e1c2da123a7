import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { identityOf } from '../../compose/index.ts';
import { migrate } from '../../platform/index.ts';
import { authenticateSession, listSessions } from '../index.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import * as callers from './0001-callers.ts';
import { identityMigrations } from './index.ts';

const before = { domain: 'identity', migrations: { '0001-callers': callers } };

forEachDatabase('an upgrade signs nobody out', { migrations: [before] }, async ({ database }) => {
  const secret = newSecret('alm_ses_');
  await sql`
    INSERT INTO account VALUES ('usr_1', 'a@example.org', true, NULL, 'free', false, now(), now())
  `.execute(database.query());
  await sql`
    INSERT INTO browser_session VALUES
      ('ses_1', 'usr_1', ${hashSecret(secret)}, NULL, now() - interval '10 days', now() + interval '4 days')
  `.execute(database.query());
  await migrate(database, [identityMigrations]);
  const identity = identityOf(database);
  assert.equal((await authenticateSession(identity, secret))?.accountId, 'usr_1');
  const [session] = await listSessions(identity, 'usr_1');
  assert.ok(Math.abs((session?.last_used_at.getTime() ?? 0) - Date.now()) < 60_000);
});
