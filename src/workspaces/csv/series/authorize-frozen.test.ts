import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeAccount } from '../../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../../test/support/identity/identity.ts';
import { openTestDatabase, testedKind } from '../../../../test/support/platform/database.ts';
import { csvContext, makeCsvFile } from '../../../../test/support/workspaces/csv-files.ts';
import {
  makeMember,
  makeWorkspace,
  type PlaceSpec,
  principalOf,
} from '../../../../test/support/workspaces/workspaces.ts';
import { type Account, ANONYMOUS, type Principal } from '../../../access/index.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import { deleteCsvFile } from '../delete-csv-file.ts';
import { createCsvSource } from './csv-source.ts';

const fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
after(() => fixture[Symbol.asyncDispose]());
const { database } = fixture;
const identity = movableIdentity(database);
const source = createCsvSource({ database });

const somebody = async () => principalOf(await makeAccount(identity, { password: null }));
const owner = await somebody();
const workspace = await makeWorkspace(database, owner.accountId);
const file = await makeCsvFile(database, workspace.id, owner.accountId);
const another = await makeCsvFile(database, workspace.id, owner.accountId);
const reference = {
  type: 'workspace_csv',
  workspace_id: workspace.id,
  csv_id: file,
  time_field: 'date',
  value_field: 'value',
} as const;

async function join(spec: PlaceSpec): Promise<Account> {
  const member = await somebody();
  await makeMember(database, workspace.id, member.accountId, spec);
  return member;
}

async function answer(principal: Principal, isMaker: boolean): Promise<string> {
  const asked = source.authorizeFrozen?.(principal, reference, { isMaker });
  return (asked ?? Promise.resolve()).then(
    () => 'allowed',
    (error) => error.code,
  );
}

const listed = (...ids: string[]): PlaceSpec => ({ csv_scope_mode: 'selected', csv_scope_ids: ids });
const DENIED = 'WORKSPACE_DENIED';

test('frozen rows are for who may read the file, and a deletion gives them to nobody else', async () => {
  const people = {
    owner,
    'of everything': await join({}),
    'of the file': await join(listed(file)),
    'of another file': await join(listed(another)),
    'of an empty list': await join(listed()),
    'of nothing': await join({ csv_scope_mode: 'none' }),
    stranger: await somebody(),
  };
  const answers = async (isMaker: boolean) => {
    const all = Object.entries(people).map(async ([name, who]) => [name, await answer(who, isMaker)]);
    return Object.fromEntries(await Promise.all(all));
  };
  const whole = { owner: 'allowed', 'of everything': 'allowed' };
  const none = { 'of nothing': DENIED, stranger: DENIED };
  const there = {
    ...whole,
    'of the file': 'allowed',
    'of another file': DENIED,
    'of an empty list': DENIED,
    ...none,
  };
  assert.deepEqual(await answers(false), there);
  assert.deepEqual(await answers(true), there, 'who made the forecast must be able to read the file, too');
  await deleteCsvFile(csvContext(database), owner, { workspace: workspace.id, id: file });
  const unlisted = (code: string) => ({ 'of the file': code, 'of another file': code, 'of an empty list': code });
  assert.deepEqual(await answers(false), { ...whole, ...unlisted(DENIED), ...none });
  assert.deepEqual(await answers(true), { ...whole, ...unlisted('allowed'), ...none });
});

test('a refusal says where the rows come from, and what is missing', async () => {
  const narrow = { ...owner, scopes: ['forecasts:write'] } as const;
  const cases: [Principal, string, RegExp][] = [
    [await somebody(), DENIED, /^The rows come from a file of a workspace, and are used again only for members/],
    [narrow, 'SCOPE_DENIED', /^The rows come from a file of a workspace; .* the scope workspaces:read\.$/],
    [{ kind: 'guest', guestId: 'gst_1' }, 'ACCOUNT_REQUIRED', /^The rows come from a file of a workspace; /],
    [ANONYMOUS, 'UNAUTHENTICATED', /^The rows come from a file/],
  ];
  for (const [principal, code, message] of cases) {
    await assert.rejects(async () => source.authorizeFrozen?.(principal, reference, { isMaker: true }), {
      code,
      message,
    });
  }
});
