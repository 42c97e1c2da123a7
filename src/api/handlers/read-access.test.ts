import assert from 'node:assert/strict';
import type { z } from 'zod';
import { openApi } from '../../../test/support/api/api.ts';
import { requestAs } from '../../../test/support/api/request-as.ts';
import { makeAccount, withKey, withSession } from '../../../test/support/identity/callers.ts';
import { atTime } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { type AccessRecord, SCOPES } from '../../contract/index.ts';
import { changePlan } from '../../identity/index.ts';
import type { Database } from '../../platform/index.ts';
import type { WorkspaceMemberTable, WorkspaceTables } from '../../workspaces/index.ts';

type Access = z.output<typeof AccessRecord>;

const options = { migrations: MIGRATIONS };
const CREATED = '2026-01-02T03:04:05.060Z';

const OWNER = [
  ...['workspace.read', 'workspace.update', 'members.read', 'members.manage'],
  ...['csv.list', 'csv.read', 'csv.download', 'csv.write'],
  ...['forecast.list', 'forecast.read', 'forecast.create', 'forecast.update', 'forecast.cancel'],
];
const EDITOR = OWNER.filter((permission) => permission !== 'workspace.update' && permission !== 'members.manage');
const VIEWER = [
  ...['workspace.read', 'members.read', 'csv.list', 'csv.read', 'csv.download'],
  ...['forecast.list', 'forecast.read'],
];
const ALL = { mode: 'all', ids: [] };

forEachDatabase('returns the account and its personal workspace', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const account = await makeAccount(atTime(identity, CREATED), { email: 'Me@Example.org', plan: 'enterprise' });
  const key = await withKey(identity, account.id, ['workspaces:read', 'account:read']);
  const { status, body, data } = await requestAs(app, key)<Access>('GET', '/v1/me/access');
  assert.equal(status, 200);
  const workspace = data.workspaces[0];
  assert.match(workspace?.id ?? '', /^ws_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(workspace?.slug ?? '', /^personal-[0-9a-z]{10}$/);
  assert.deepEqual(JSON.parse(body), {
    data: {
      user: { id: account.id, email: 'me@example.org', email_verified: true, email_bounces: false },
      token_scopes: ['workspaces:read', 'account:read'],
      personal_plan: 'enterprise',
      workspaces: [
        {
          id: workspace?.id,
          name: 'Personal',
          slug: workspace?.slug,
          owner_user_id: account.id,
          role: 'owner',
          permissions: OWNER,
          resource_scope: { csv: ALL, forecasts: ALL },
          capabilities: OWNER.slice(4),
          legacy_personal: true,
          member_credits: null,
          members: 1,
          stored_bytes: 0,
          created_at: CREATED,
          updated_at: CREATED,
        },
      ],
    },
    meta: { api_version: 'v1' },
  });
  // A browser session has every scope.
  const session = await requestAs(app, await withSession(identity, account.email))<Access>('GET', '/v1/me/access');
  assert.deepEqual(session.data, { ...data, token_scopes: SCOPES });
});

forEachDatabase('returns memberships as stored, evaluated on every request', options, async (fixture) => {
  const { database } = fixture;
  const { app, identity } = await openApi(database);
  fixture.cleanup(() => app.close());
  const boss = await makeAccount(identity, { password: null });
  const member = await makeAccount(identity, { plan: 'pro', password: null });
  const request = requestAs(app, await withKey(identity, member.id));
  const access = async () => (await request<Access>('GET', '/v1/me/access')).data;
  const shared = async () => (await access()).workspaces.find(({ legacy_personal }) => !legacy_personal);
  const id = 'ws_shared';
  await openWorkspace(database, { id, owner: boss.id });
  assert.equal(await shared(), undefined, 'the workspace of another account is not returned');

  const editor: NewMember = { workspace_id: id, account_id: member.id, role: 'editor' };
  await join(database, { ...editor, csv_scope_mode: 'selected', csv_scope_ids: ['csv_b', 'csv_a'] });
  const expected = {
    id,
    name: 'Desk “α”',
    slug: 'desk',
    owner_user_id: boss.id,
    role: 'editor',
    permissions: EDITOR,
    resource_scope: { csv: { mode: 'selected', ids: ['csv_b', 'csv_a'] }, forecasts: ALL },
    capabilities: EDITOR.slice(2),
    legacy_personal: false,
    member_credits: null,
    members: 2,
    stored_bytes: null,
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-02-03T04:05:06.700Z',
  };
  assert.deepEqual(await shared(), expected);
  assert.equal((await access()).workspaces.length, 2);

  await changeMember(database, member.id, { csv_scope_ids: [] });
  assert.deepEqual(await shared(), {
    ...expected,
    resource_scope: { csv: { mode: 'selected', ids: [] }, forecasts: ALL },
    capabilities: EDITOR.slice(6),
  });

  await changeMember(database, member.id, { role: 'viewer', csv_scope_mode: 'none', csv_scope_ids: ['csv_a'] });
  await changeMember(database, member.id, { forecasts_scope_mode: 'none' });
  const none = { mode: 'none', ids: [] };
  assert.deepEqual(await shared(), {
    ...expected,
    role: 'viewer',
    permissions: VIEWER,
    resource_scope: { csv: none, forecasts: none },
    capabilities: [],
  });

  await database.query<WorkspaceTables>().deleteFrom('workspace_member').where('workspace_id', '=', id).execute();
  assert.equal(await shared(), undefined);
  assert.equal((await access()).workspaces.length, 1, 'the account keeps its own workspace and key');
});

forEachDatabase('applies a changed plan from the next request', options, async (fixture) => {
  const { app, identity } = await openApi(fixture.database);
  fixture.cleanup(() => app.close());
  const { id, email } = await makeAccount(identity, { plan: 'pro', password: null });
  const request = requestAs(app, await withKey(identity, id));
  assert.equal((await request<Access>('GET', '/v1/me/access')).data.personal_plan, 'pro');
  await changePlan(identity, email, 'free');
  assert.equal((await request('GET', '/v1/me/access')).code, 'PLAN_REQUIRED');
  await changePlan(identity, email, 'enterprise');
  assert.equal((await request<Access>('GET', '/v1/me/access')).data.personal_plan, 'enterprise');
});

async function openWorkspace(database: Database, { id, owner }: { id: string; owner: string }): Promise<void> {
  const created_at = new Date('2026-01-02T03:04:05.000Z');
  const updated_at = new Date('2026-02-03T04:05:06.700Z');
  const row = { id, name: 'Desk “α”', slug: 'desk', owner_account_id: owner, legacy_personal: false };
  await database
    .query<WorkspaceTables>()
    .insertInto('workspace')
    .values({ ...row, created_at, updated_at })
    .execute();
  await join(database, { workspace_id: id, account_id: owner, role: 'owner' });
}

type MemberChange = Partial<WorkspaceMemberTable>;
type NewMember = Pick<WorkspaceMemberTable, 'workspace_id' | 'account_id' | 'role'> & MemberChange;

async function join(database: Database, member: NewMember): Promise<void> {
  const row: WorkspaceMemberTable = {
    id: `col_${member.account_id}`,
    csv_scope_mode: 'all',
    csv_scope_ids: [],
    forecasts_scope_mode: 'all',
    forecasts_scope_ids: [],
    created_at: new Date(),
    ...member,
  };
  await database.query<WorkspaceTables>().insertInto('workspace_member').values(row).execute();
}

async function changeMember(database: Database, accountId: string, change: MemberChange): Promise<void> {
  await database
    .query<WorkspaceTables>()
    .updateTable('workspace_member')
    .set(change)
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', 'ws_shared')
    .execute();
}
