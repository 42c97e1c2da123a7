import type { Account } from '../../../src/access/index.ts';
import { freeFailedSnapshots } from '../../../src/forecasts/index.ts';
import { type Database, loadConfig, readSigningKeys, systemClock } from '../../../src/platform/index.ts';
import { type DeclaredCsv, type UploadContext, uploadCsvFile } from '../../../src/workspaces/index.ts';
import { makeAccount } from '../identity/callers.ts';
import { movableIdentity } from '../identity/identity.ts';
import { type MembershipSpec, makeMember, makeWorkspace, principalOf } from './workspaces.ts';

/** Forty daily values. */
export const DAILY_CSV = [
  'date,value,note',
  ...Array.from({ length: 40 }, (_, i) => {
    const day = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
    return `${day},${100 + i / 2},${i % 2 === 0 ? 'even' : 'odd'}`;
  }),
  '',
].join('\n');

/** The declaration of a media type without parameters. */
export const UNDECLARED: DeclaredCsv = { encoding: null, header: null, delimiter: null, dates: null };

export function csvContext(database: Database): UploadContext {
  return {
    database,
    clock: systemClock,
    cursorKey: () => readSigningKeys(database, 'cursors'),
    storage: loadConfig({}).storage,
    freeBytes: freeFailedSnapshots(systemClock),
  };
}

/** Yields bytes in pieces, as a request body does. */
export async function* inPieces(bytes: Buffer | string, size = 64 * 1024): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes as string);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

/** Uploads a file as this account. Returns its id. */
export async function makeCsvFile(
  database: Database,
  workspace: string,
  accountId: string,
  text: string = DAILY_CSV,
  name = 'daily.csv',
): Promise<string> {
  const file = await uploadCsvFile(
    csvContext(database),
    principalOf({ id: accountId, email: 'uploader@example.org' }),
    {
      workspace,
      name,
      declared: UNDECLARED,
      body: inPieces(text),
    },
  );
  return file.id;
}

/** A workspace with its owner. */
export interface CsvScene {
  readonly owner: Account;
  readonly workspace: { readonly id: string; readonly slug: string };
}

export async function openCsvScene(database: Database): Promise<CsvScene> {
  const account = await makeAccount(movableIdentity(database), { password: null });
  return { owner: principalOf(account), workspace: await makeWorkspace(database, account.id) };
}

/** Adds another account to the workspace as a member. */
export async function addMember({ workspace }: CsvScene, database: Database, spec: MembershipSpec): Promise<Account> {
  const account = await makeAccount(movableIdentity(database), { password: null });
  await makeMember(database, workspace.id, account.id, spec);
  return principalOf(account);
}
