import assert from 'node:assert/strict';
import { makeAccount } from '../../test/support/identity/callers.ts';
import { movableIdentity } from '../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../test/support/platform/database.ts';
import {
  makeMember,
  makeWorkspace,
  notedWorkspaces,
  type PlaceSpec,
  principalOf,
} from '../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../compose/index.ts';
import { Fault, MAX_SCOPE_IDS } from '../contract/index.ts';
import type { Database } from '../platform/index.ts';
import {
  addCollaborator,
  addToOwnScope,
  deleteCsvFile,
  dropFromScopes,
  findMembership,
  listCollaborators,
  lockPlace,
  uploadCsvFile,
} from './index.ts';

const options = { migrations: MIGRATIONS };

async function openScene(database: Database, spec: PlaceSpec) {
  const identity = movableIdentity(database);
  const owner = principalOf(await makeAccount(identity, { password: null }));
  const member = principalOf(await makeAccount(identity, { password: null }));
  const { id } = await makeWorkspace(database, owner.accountId);
  await makeMember(database, id, member.accountId, { role: 'editor', ...spec });
  return { identity, owner, member, id, place: () => findMembership(database, member.accountId, id) };
}

forEachDatabase('what a member makes is added to its list, where it has one', options, async ({ database }) => {
  for (const [mode, expected] of [
    ['all', []],
    ['none', []],
    ['selected', ['csv_b', 'csv_a', 'csv_new']],
  ] as const) {
    const listed = { csv_scope_mode: mode, csv_scope_ids: mode === 'selected' ? ['csv_b', 'csv_a'] : [] };
    const { member, id, place } = await openScene(database, listed);
    await database.transaction(async (tx) => {
      const locked = await lockPlace(tx, member, id, 'workspace.read');
      await addToOwnScope(tx, locked, 'csv', 'csv_new');
    });
    const found = await place();
    assert.deepEqual(
      [found?.csv, found?.forecasts],
      [
        { mode, ids: expected },
        { mode: 'all', ids: [] },
      ],
    );
  }
});

forEachDatabase('a list takes a thousand things, and the one too many is not made', options, async ({ database }) => {
  const ids = Array.from({ length: MAX_SCOPE_IDS - 1 }, (_, i) => `ef_${i}`);
  const scope: PlaceSpec = { forecasts_scope_mode: 'selected', forecasts_scope_ids: ids };
  const { member, id, place } = await openScene(database, scope);
  const add = (thing: string) =>
    database.transaction(async (tx) =>
      addToOwnScope(tx, await lockPlace(tx, member, id, 'forecast.create'), 'forecasts', thing),
    );
  await add('ef_last');
  await assert.rejects(add('ef_more'), (error) => error instanceof Fault && error.code === 'LIMIT_REACHED');
  assert.deepEqual((await place())?.forecasts.ids, [...ids, 'ef_last']);
});

forEachDatabase(
  'what is removed is in no list any more, that of an invitation included',
  options,
  async ({ database }) => {
    const { identity, owner, id, place } = await openScene(database, { csv_scope_mode: 'none' });
    const context = notedWorkspaces(identity);
    const files = { database, clock: identity.clock, cursorKey: async () => Buffer.alloc(32) };
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
      'the order of the others stays',
    );
    await database.transaction(async (tx) => {
      await lockPlace(tx, owner, id, 'csv.write');
      await dropFromScopes(tx, id, 'csv', [two, three, 'csv_unknown']);
    });
    assert.deepEqual(await lists(), [[], []]);
    assert.deepEqual((await place())?.csv, { mode: 'none', ids: [] });
  },
);
