import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeAccount } from '../../../../test/support/identity/callers.ts';
import { movableIdentity } from '../../../../test/support/identity/identity.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../../../../test/support/platform/database.ts';
import { csvContext, makeCsvFile } from '../../../../test/support/workspaces/csv-files.ts';
import {
  type MembershipSpec,
  makeMember,
  makeWorkspace,
  principalOf,
  type TestWorkspace,
} from '../../../../test/support/workspaces/workspaces.ts';
import { type Account, ANONYMOUS, type Principal } from '../../../access/index.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import type { WorkspaceCsvReference } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import { deleteCsvFile } from '../delete-csv-file.ts';
import { createCsvSource } from './csv-source.ts';

let fixture: TestDatabase;
let database: Database;
let source: ReturnType<typeof createCsvSource>;
let owner: Account;
let workspace: TestWorkspace;
let file: string;
let another: string;
let reference: WorkspaceCsvReference;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  database = fixture.database;
  source = createCsvSource({ database });
  owner = await newAccount();
  workspace = await makeWorkspace(database, owner.accountId);
  file = await makeCsvFile(database, workspace.id, owner.accountId);
  another = await makeCsvFile(database, workspace.id, owner.accountId);
  const fields = { time_field: 'date', value_field: 'value' };
  reference = { type: 'workspace_csv', workspace_id: workspace.id, csv_id: file, ...fields };
});
after(() => fixture?.[Symbol.asyncDispose]());

const newAccount = async () => principalOf(await makeAccount(movableIdentity(database), { password: null }));

async function join(spec: MembershipSpec): Promise<Account> {
  const member = await newAccount();
  await makeMember(database, workspace.id, member.accountId, spec);
  return member;
}

async function authorize(principal: Principal, isCreator: boolean): Promise<string> {
  const attempt = source.authorizeFrozen?.(principal, reference, { isCreator });
  return (attempt ?? Promise.resolve()).then(
    () => 'allowed',
    (error) => error.code,
  );
}

const listed = (...ids: string[]): MembershipSpec => ({ csv_scope_mode: 'selected', csv_scope_ids: ids });
const DENIED = 'WORKSPACE_DENIED';

test('allows frozen rows to members who may read the file, and to no other member after its deletion', async () => {
  const accounts = {
    owner,
    'of everything': await join({}),
    'of the file': await join(listed(file)),
    'of another file': await join(listed(another)),
    'of an empty list': await join(listed()),
    'of nothing': await join({ csv_scope_mode: 'none' }),
    stranger: await newAccount(),
  };
  const answers = async (isCreator: boolean) => {
    const all = Object.entries(accounts).map(async ([name, account]) => [name, await authorize(account, isCreator)]);
    return Object.fromEntries(await Promise.all(all));
  };
  const unrestricted = { owner: 'allowed', 'of everything': 'allowed' };
  const none = { 'of nothing': DENIED, stranger: DENIED };
  const existing = {
    ...unrestricted,
    'of the file': 'allowed',
    'of another file': DENIED,
    'of an empty list': DENIED,
    ...none,
  };
  assert.deepEqual(await answers(false), existing);
  assert.deepEqual(await answers(true), existing, 'the creator of the forecast must also be able to read the file');
  await deleteCsvFile(csvContext(database), owner, { workspace: workspace.id, id: file });
  const unlisted = (code: string) => ({ 'of the file': code, 'of another file': code, 'of an empty list': code });
  assert.deepEqual(await answers(false), { ...unrestricted, ...unlisted(DENIED), ...none });
  assert.deepEqual(await answers(true), { ...unrestricted, ...unlisted('allowed'), ...none });
});

test('explains where the rows come from and which requirement is missing', async () => {
  const narrow = { ...owner, scopes: ['forecasts:write'] } as const;
  const cases: [Principal, string, RegExp][] = [
    [await newAccount(), DENIED, /^The rows come from a file of a workspace\. Only members who can read that file/],
    [narrow, 'SCOPE_DENIED', /^The rows come from a file of a workspace\. .* the scope workspaces:read\.$/],
    [
      { kind: 'guest', guestId: 'gst_1' },
      'ACCOUNT_REQUIRED',
      /^The rows come from a file of a workspace\. Only an account/,
    ],
    [ANONYMOUS, 'UNAUTHENTICATED', /^The rows come from a file/],
  ];
  for (const [principal, code, message] of cases) {
    await assert.rejects(async () => source.authorizeFrozen?.(principal, reference, { isCreator: true }), {
      code,
      message,
    });
  }
});
