import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { z } from 'zod';
import { MIGRATIONS } from '../../src/compose/index.ts';
import type { AccessRecord, ResourceScopeMode, Role } from '../../src/contract/index.ts';
import { openApi } from '../support/api/api.ts';
import { requestAs } from '../support/api/request-as.ts';
import { makeAccount, withKey } from '../support/identity/callers.ts';
import { forEachDatabase } from '../support/platform/database.ts';
import { type MembershipSpec, makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

type Access = z.output<typeof AccessRecord>;

// The expected values are written out by hand from the design, independent of the code under test.
const WORKSPACE = ['workspace.read', 'workspace.update', 'members.read', 'members.manage'];
const CSV = ['csv.list', 'csv.read', 'csv.download', 'csv.write'];
const FORECASTS = ['forecast.list', 'forecast.read', 'forecast.create', 'forecast.update', 'forecast.cancel'];
const DENIED: Record<Role, readonly string[]> = {
  owner: [],
  editor: ['workspace.update', 'members.manage'],
  viewer: ['workspace.update', 'members.manage', 'csv.write', 'forecast.create', 'forecast.update', 'forecast.cancel'],
};

interface Scope {
  readonly mode: ResourceScopeMode;
  readonly ids: readonly string[];
}

interface Membership {
  readonly role: Role;
  readonly csv: Scope;
  readonly forecasts: Scope;
}

function expected({ role, csv, forecasts }: Membership) {
  const permitted = (names: readonly string[]) => names.filter((name) => !DENIED[role].includes(name));
  const usable = ({ mode, ids }: Scope) => mode === 'all' || (mode === 'selected' && ids.length > 0);
  const shown = ({ mode, ids }: Scope) => ({ mode, ids: mode === 'selected' ? ids : [] });
  return {
    role,
    permissions: permitted([...WORKSPACE, ...CSV, ...FORECASTS]),
    resource_scope: { csv: shown(csv), forecasts: shown(forecasts) },
    capabilities: [...(usable(csv) ? permitted(CSV) : []), ...(usable(forecasts) ? permitted(FORECASTS) : [])],
  };
}

function stored({ role, csv, forecasts }: Membership): MembershipSpec {
  return {
    role,
    csv_scope_mode: csv.mode,
    csv_scope_ids: [...csv.ids],
    forecasts_scope_mode: forecasts.mode,
    forecasts_scope_ids: [...forecasts.ids],
  };
}

const ROLES: readonly Role[] = ['owner', 'editor', 'viewer'];
const MODES: readonly ResourceScopeMode[] = ['all', 'selected', 'none'];

/** Returns every role with every mode for files and forecasts, with no id, one and several. */
function everyMembership(): Membership[] {
  const scopes = MODES.flatMap((mode) => [0, 1, 3].map((count) => ({ mode, count })));
  const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}_${i}`);
  return ROLES.flatMap((role) =>
    scopes.flatMap((csv) =>
      scopes.map((forecasts) => ({
        role,
        csv: { mode: csv.mode, ids: ids('csv', csv.count) },
        forecasts: { mode: forecasts.mode, ids: ids('ef', forecasts.count) },
      })),
    ),
  );
}

/** Ids of any text that the database can store. */
const anyScope = fc.record({
  mode: fc.constantFrom(...MODES),
  ids: fc.uniqueArray(
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((id) => !id.includes('\0') && id.isWellFormed()),
    { maxLength: 20 },
  ),
});
const anyMembership: fc.Arbitrary<Membership> = fc.record({
  role: fc.constantFrom(...ROLES),
  csv: anyScope,
  forecasts: anyScope,
});

forEachDatabase(
  'returns the exact access record for every membership',
  { migrations: MIGRATIONS },
  async ({ database, cleanup }) => {
    const { app, identity } = await openApi(database, { ALMANAC_RATE_PRO: '1000000' });
    cleanup(() => app.close());
    const owner = await makeAccount(identity, { password: null });
    const memberships = [...everyMembership(), ...fc.sample(anyMembership, { numRuns: 60, seed: 20_261_115 })];
    const wanted = new Map<string, object>();
    const member = await makeAccount(identity, { password: null });
    await database.transaction(async (tx) => {
      for (const membership of memberships) {
        const { id } = await makeWorkspace(tx, owner.id);
        // A unique index allows one owner for each workspace.
        if (membership.role === 'owner')
          await tx
            .query<{ workspace_member: { workspace_id: string } }>()
            .deleteFrom('workspace_member')
            .where('workspace_id', '=', id)
            .execute();
        await makeMember(tx, id, member.id, stored(membership));
        wanted.set(id, expected(membership));
      }
    });
    const send = requestAs(app, await withKey(identity, member.id));
    const { data } = await send<Access>('GET', '/v1/me/access');
    const shared = data.workspaces.filter(({ legacy_personal }) => !legacy_personal);
    assert.equal(shared.length, memberships.length);
    for (const { id, role, permissions, resource_scope, capabilities } of shared) {
      assert.deepEqual({ role, permissions, resource_scope, capabilities }, wanted.get(id));
    }
    // A single workspace is returned in the same form.
    for (const workspace of shared.slice(0, 20)) {
      assert.deepEqual((await send('GET', `/v1/workspaces/${workspace.slug}`)).data, workspace);
    }
  },
);
