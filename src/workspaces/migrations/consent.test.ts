import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { principalOf, recordMailRequests } from '../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { type DomainMigrations, migrate } from '../../platform/index.ts';
import { acceptInvitation, findMembership } from '../index.ts';

/** The migrations of the two domains from the one that is tested on. */
const LATER = [
  '0004-consent',
  '0005-stored-files',
  '0006-skipped-lines',
  '0007-chunk-parts',
  '0006-member-charges',
  '0007-stored-forecasts',
  '0008-proof-seals',
  '0009-outcomes',
  '0010-copies',
  '0012-usage-days',
  '0011-nameless',
  '0013-engine-queues',
];

const without = (domains: readonly DomainMigrations[], later: readonly string[]): DomainMigrations[] =>
  domains.map(({ domain, migrations }) => ({
    domain,
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => !later.includes(name))),
  }));

forEachDatabase(
  'keeps memberships and open invitations that were stored before invitations had to be accepted',
  { migrations: without(MIGRATIONS, LATER) },
  async ({ database }) => {
    const identity = movableIdentity(database);
    const [owner, member, invited] = await Promise.all(
      Array.from({ length: 3 }, () =>
        makeAccount({ ...identity, onAccountCreated: async () => {} }, { password: null }),
      ),
    );
    assert.ok(owner && member && invited);
    const now = identity.clock.now();
    const full = sql`'all', '{}', 'all', '{}'`;
    await sql`
      INSERT INTO workspace (id, name, slug, owner_account_id, legacy_personal, created_at, updated_at)
      VALUES ('ws_1', 'Rates', 'rates', ${owner.id}, false, ${now}, ${now})`.execute(database.query());
    await sql`
      INSERT INTO workspace_member VALUES
        ('col_0', 'ws_1', ${owner.id}, 'owner', ${full}, ${now}), ('col_1', 'ws_1', ${member.id}, 'viewer', ${full}, ${now})
    `.execute(database.query());
    const expires = new Date(now.getTime() + 86_400_000);
    for (const [id, kind, email, ended] of [
      ['col_1', 'addition', member.email, now],
      ['col_2', 'invitation', invited.email, null],
    ] as const) {
      await sql`
        INSERT INTO workspace_invitation VALUES
          (${id}, ${kind}, 'ws_1', ${email}, 'viewer', ${full}, ${owner.id}, null, ${now}, ${expires}, null, ${ended})
      `.execute(database.query());
    }
    // A forecast that the member created this month, and one that the owner created.
    await sql`
      INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
      VALUES ('snap_1', 'none', '{}', 0, 0, '', now(), now())`.execute(database.query());
    for (const { id } of [owner, member]) {
      await sql`
        INSERT INTO forecast (
          id, slug, owner, account_id, payer, workspace_id, visibility, status, request, settings, snapshot_id, checkpoints,
          credits, job_id, created_at
        )
        VALUES (${id}, ${id}, ${id}, ${id}, ${owner.id}, 'ws_1', 'private', 'queued', '{}', '{}', 'snap_1', '{}', 7, '', ${now})
      `.execute(database.query());
    }

    await migrate(database, MIGRATIONS);
    assert.equal((await findMembership(database, member.id, 'ws_1'))?.role, 'viewer');
    assert.ok(await acceptInvitation(recordMailRequests(identity), principalOf(invited), { id: 'col_2' }));
    const joined = await findMembership(database, invited.id, 'ws_1');
    assert.deepEqual([joined?.role, joined?.memberCredits], ['viewer', null]);
    const { rows } = await sql`SELECT forecast_id, account_id, month, credits FROM member_charge`.execute(
      database.query(),
    );
    const month = now.toISOString().slice(0, 7);
    assert.deepEqual(rows, [{ forecast_id: member.id, account_id: member.id, month, credits: 7 }]);
  },
);
