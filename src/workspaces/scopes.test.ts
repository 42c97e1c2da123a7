import assert from 'node:assert/strict';
import { makeAccount } from '../../test/support/identity/callers.ts';
import { movableIdentity } from '../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import { csvContext } from '../../test/support/workspaces/csv-files.ts';
import {
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  principalOf,
  recordMailRequests,
} from '../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { Fault, MAX_SCOPE_IDS } from '../contract/index.ts';
import type { Database } from '../platform/index.ts';
import {
  addCollaborator,
  addToOwnScope,
  deleteCsvFile,
  findMembership,
  listCollaborators,
  lockMembership,
  removeFromScopes,
  uploadCsvFile,
} from './index.ts';

const options = { migrations: MIGRATIONS };

async function openScene(database: Database, spec: MembershipSpec) {
  const identity = movableIdentity(database);
  const owner = principalOf(await makeAccount(identity, { password: null }));
  const member = principalOf(await makeAccount(identity, { password: null }));
  const { id } = await makeWorkspace(database, owner.accountId);
  await makeMember(database, id, member.accountId, { role: 'editor', ...spec });
  return { identity, owner, member, id, readMembership: () => findMembership(database, member.accountId, id) };
}

forEachDatabase('adds what a member creates to its scope if the scope lists ids', options, async ({ database }) => {
  for (const [mode, expected] of [
    ['all', []],
    ['none', []],
    ['selected', ['csv_b', 'csv_a', 'csv_new']],
  ] as const) {
    const listed = { csv_scope_mode: mode, csv_scope_ids: mode === 'selected' ? ['csv_b', 'csv_a'] : [] };
    const { member, id, readMembership } = await openScene(database, listed);
    await database.transaction(async (tx) => {
      const locked = await lockMembership(tx, member, id, 'workspace.read');
      await addToOwnScope(tx, locked, 'csv', 'csv_new');
    });
    const found = await readMembership();
    assert.deepEqual(
      [found?.csv, found?.forecasts],
      [
        { mode, ids: expected },
        { mode: 'all', ids: [] },
      ],
    );
  }
});

forEachDatabase('refuses the id that exceeds the limit of a scope', options, async ({ database }) => {
  const ids = Array.from({ length: MAX_SCOPE_IDS - 1 }, (_, i) => `ef_${i}`);
  const scope: MembershipSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: ids };
  const { member, id, readMembership } = await openScene(database, scope);
  const add = (forecastId: string) =>
    database.transaction(async (tx) =>
      addToOwnScope(tx, await lockMembership(tx, member, id, 'forecast.create'), 'forecasts', forecastId),
    );
  await add('ef_last');
  await assert.rejects(add('ef_more'), (error) => error instanceof Fault && error.code === 'LIMIT_REACHED');
  assert.deepEqual((await readMembership())?.forecasts.ids, [...ids, 'ef_last']);
});

forEachDatabase(
  'removes a deleted file from every scope, including those of invitations',
  options,
  async ({ database }) => {
    const { identity, owner, id, readMembership } = await openScene(database, { csv_scope_mode: 'none' });
    const context = recordMailRequests(identity);
    const files = { ...csvContext(database), clock: identity.clock };
    const upload = async (name: string) => {
      const body = (async function* () {
        yield Buffer.from('day,value\n2024-01-01,1\n2024-01-02,2\n');
      })();
      const declared = { encoding: null, header: null, delimiter: null, dates: null };
      return (await uploadCsvFile(files, owner, { workspace: id, name, declared, body })).id;
    };
    const [one, two, three] = [await upload('one'), await upload('two'), await upload('three')];
    const csv = { mode: 'selected' as const, ids: [three, one, two] };
    await addCollaborator(context, owner, id, { email: 'new@example.org', role: 'viewer', scope: { csv } });
    const { email } = await makeAccount(identity, { password: null });
    await addCollaborator(context, owner, id, { email, role: 'viewer', scope: { csv } });
    const lists = async () =>
      (await listCollaborators(context, owner, id)).flatMap(({ resource_scope }) =>
        resource_scope.csv.mode === 'selected' ? [resource_scope.csv.ids] : [],
      );
    assert.deepEqual(await lists(), [csv.ids, csv.ids]);
    await deleteCsvFile(files, owner, { workspace: id, id: one });
    assert.deepEqual(
      await lists(),
      [
        [three, two],
        [three, two],
      ],
      'the other ids keep their order',
    );
    await database.transaction(async (tx) => {
      await lockMembership(tx, owner, id, 'csv.write');
      await removeFromScopes(tx, id, 'csv', [two, three, 'csv_unknown']);
    });
    assert.deepEqual(await lists(), [[], []]);
    assert.deepEqual((await readMembership())?.csv, { mode: 'none', ids: [] });
  },
);
