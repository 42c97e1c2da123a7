import type { Account } from '../../../src/access/index.ts';
import { type Database, readSigningKey, systemClock } from '../../../src/platform/index.ts';
import { type CsvContext, type DeclaredCsv, uploadCsvFile } from '../../../src/workspaces/index.ts';
import { makeAccount } from '../identity/callers.ts';
import { movableIdentity } from '../identity/identity.ts';
import { makeMember, makeWorkspace, type PlaceSpec, principalOf } from './workspaces.ts';

/** Forty days with a value each. */
export const DAILY_CSV = [
  'date,value,note',
  ...Array.from({ length: 40 }, (_, i) => {
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    return `${day},${100 + i / 2},${i % 2 === 0 ? 'even' : 'odd'}`;
  }),
  '',
].join('\n');

/** A media type that says nothing of its file. */
export const UNDECLARED: DeclaredCsv = { encoding: null, header: null, delimiter: null, dates: null };

export function csvContext(database: Database): CsvContext {
  return { database, clock: systemClock, cursorKey: () => readSigningKey(database, 'cursors') };
}

/** The bytes as a request would bring them. */
export async function* inPieces(bytes: Buffer | string, size = 64 * 1024): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes as string);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** A file in a workspace, added by an account that may. @returns its id */
export async function makeCsvFile(
  database: Database,
  workspace: string,
  accountId: string,
  text: string = DAILY_CSV,
  name = 'daily.csv',
): Promise<string> {
  const file = await uploadCsvFile(
    csvContext(database),
    principalOf({ id: accountId, email: 'somebody@example.org' }),
    {
      workspace,
      name,
      declared: UNDECLARED,
      body: inPieces(text),
    },
  );
  return file.id;
}

/** A workspace and its owner. */
export interface CsvScene {
  readonly owner: Account;
  readonly workspace: { readonly id: string; readonly slug: string };
}

export async function sceneIn(database: Database): Promise<CsvScene> {
  const account = await makeAccount(movableIdentity(database), { password: null });
  return { owner: principalOf(account), workspace: await makeWorkspace(database, account.id) };
}

/** Somebody else with a place in it. */
export async function memberOf({ workspace }: CsvScene, database: Database, spec: PlaceSpec): Promise<Account> {
  const account = await makeAccount(movableIdentity(database), { password: null });
  await makeMember(database, workspace.id, account.id, spec);
  return principalOf(account);
}
