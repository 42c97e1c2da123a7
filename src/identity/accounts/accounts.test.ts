import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { MINUTE, movableIdentity } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import type { Database } from '../../platform/index.ts';
import {
  changeAdministrator,
  changePlan,
  createAccount,
  findAccount,
  listAccounts,
  listSecurityEvents,
  requireAccount,
} from '../index.ts';
import type { IdentityTables } from '../tables.ts';

const options = { migrations: MIGRATIONS };

async function counts(database: Database): Promise<unknown> {
  const { rows } = await sql`
    SELECT (SELECT count(*)::int FROM account) AS accounts,
           (SELECT count(*)::int FROM workspace WHERE legacy_personal) AS personal_workspaces,
           (SELECT count(*)::int FROM workspace_member WHERE role = 'owner') AS owners
  `.execute(database.query());
  return rows[0];
}

forEachDatabase('creates an account as requested, with a personal workspace', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const plain = await createAccount(identity, { email: 'Plain@Example.org' });
  assert.match(plain.id, /^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(plain, { id: plain.id, email: 'plain@example.org', plan: 'free' });
  const full = { email: 'full@example.org', plan: 'enterprise', administrator: true, verified: true } as const;
  await createAccount(identity, { ...full, password: 'correct horse battery' });
  const rows = await fixture.database.query<IdentityTables>().selectFrom('account').selectAll().execute();
  const shown = rows
    .map(({ id: _, password_hash, ...row }) => ({ ...row, has_password: password_hash !== null }))
    .sort((a, b) => a.email.localeCompare(b.email));
  const times = { created_at: identity.clock.now(), updated_at: identity.clock.now() };
  assert.deepEqual(shown, [
    {
      email: full.email,
      email_verified: true,
      bounced_at: null,
      locked_at: null,
      plan: 'enterprise',
      administrator: true,
      ...times,
      has_password: true,
    },
    {
      email: plain.email,
      email_verified: false,
      bounced_at: null,
      locked_at: null,
      plan: 'free',
      administrator: false,
      ...times,
      has_password: false,
    },
  ]);
  assert.deepEqual(await counts(fixture.database), { accounts: 2, personal_workspaces: 2, owners: 2 });
});

forEachDatabase(
  'creates one account for an address in any case, even for concurrent requests',
  options,
  async (fixture) => {
    const identity = movableIdentity(fixture.database);
    const spellings = ['one@example.org', 'ONE@example.org', 'One@Example.Org', 'one@EXAMPLE.ORG'];
    const attempts = [...spellings, ...spellings, ...spellings].map((email) => createAccount(identity, { email }));
    const outcomes = (await Promise.allSettled(attempts)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'created' : outcome.reason.code,
    );
    assert.deepEqual(outcomes.sort(), [...Array(11).fill('CONFLICT'), 'created']);
    assert.deepEqual(await counts(fixture.database), { accounts: 1, personal_workspaces: 1, owners: 1 });
  },
);

forEachDatabase('creates an account completely or not at all', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const failing = {
    ...identity,
    onAccountCreated: async (...created: Parameters<typeof identity.onAccountCreated>) => {
      await identity.onAccountCreated(...created);
      throw new Error('out of space');
    },
  };
  await assert.rejects(createAccount(failing, { email: 'a@example.org' }), /out of space/);
  assert.deepEqual(await counts(fixture.database), { accounts: 0, personal_workspaces: 0, owners: 0 });
  for (const email of ['', 'unknown', 'a@b', 'a\u0000@example.org'])
    await assert.rejects(createAccount(identity, { email }), { code: 'INVALID_REQUEST', message: /^email: / });
  await assert.rejects(createAccount(identity, { email: 'a@example.org', password: 'short' }), /^Fault: password: /);
  assert.deepEqual(await counts(fixture.database), { accounts: 0, personal_workspaces: 0, owners: 0 });
  await createAccount(identity, { email: 'a@example.org' });
});

forEachDatabase('finds an account and changes its plan by its address in any case', options, async (fixture) => {
  const { database } = fixture;
  const identity = movableIdentity(database);
  const { id } = await createAccount(identity, { email: 'a@example.org' });
  await createAccount(identity, { email: 'b@example.org' });
  assert.deepEqual(await findAccount(database, 'A@Example.org'), { id, email: 'a@example.org' });
  assert.deepEqual(await requireAccount(database, 'A@Example.org'), { id, email: 'a@example.org' });
  assert.equal(await findAccount(database, 'c@example.org'), null);
  await assert.rejects(requireAccount(database, 'c@example.org'), { code: 'NOT_FOUND' });

  identity.clock.advance(MINUTE);
  for (let times = 0; times < 2; times++)
    assert.deepEqual(await changePlan(identity, 'A@EXAMPLE.ORG', 'pro'), { id, email: 'a@example.org', plan: 'pro' });
  const [event, ...earlier] = await listSecurityEvents(identity, id, { limit: 9 });
  assert.deepEqual([event?.kind, event?.details], ['plan_changed', { from: 'free', to: 'pro' }]);
  assert.equal(earlier.length, 1, 'setting the same plan again records no event');
  await assert.rejects(changePlan(identity, 'c@example.org', 'pro'), { code: 'NOT_FOUND' });
  const rows = await database.query<IdentityTables>().selectFrom('account').select(['email', 'plan']).execute();
  assert.deepEqual(Object.fromEntries(rows.map(({ email, plan }) => [email, plan])), {
    'a@example.org': 'pro',
    'b@example.org': 'free',
  });
});

forEachDatabase('lists accounts, oldest first, and makes one an administrator and back', options, async (fixture) => {
  const identity = movableIdentity(fixture.database);
  const first = await createAccount(identity, { email: 'b@example.org', verified: true });
  identity.clock.advance(MINUTE);
  const second = await createAccount(identity, { email: 'a@example.org', plan: 'pro' });
  const changed = { id: second.id, email: 'a@example.org', administrator: true, email_verified: false };
  for (let times = 0; times < 2; times++)
    assert.deepEqual(await changeAdministrator(identity, 'A@example.org', true), changed);
  assert.deepEqual(
    (await listAccounts(identity)).map(({ created_at: _, ...account }) => account),
    [
      { ...first, administrator: false, email_verified: true, locked: false },
      { ...second, administrator: true, email_verified: false, locked: false },
    ],
  );
  assert.equal((await changeAdministrator(identity, 'a@example.org', false)).administrator, false);
  const events = await listSecurityEvents(identity, second.id, { limit: 9 });
  assert.deepEqual(
    events.map(({ kind, details }) => [kind, details]),
    [
      ['administrator_changed', { administrator: 'off' }],
      ['administrator_changed', { administrator: 'on' }],
      ['account_created', {}],
    ],
  );
  await assert.rejects(changeAdministrator(identity, 'c@example.org', true), { code: 'NOT_FOUND' });
});
