import { MIGRATIONS } from '../../../src/compose/index.ts';
import { Fault } from '../../../src/contract/index.ts';
import { type Database, openDatabase } from '../../../src/platform/index.ts';
import type { WorkspaceContext, WorkspaceTables } from '../../../src/workspaces/index.ts';
import { makeAccount } from '../identity/callers.ts';
import { movableIdentity } from '../identity/identity.ts';
import { forEachDatabase, type TestDatabase } from '../platform/database.ts';
import { assertOneOwnerEach, recordMailRequests } from './workspaces.ts';

export const ROUNDS = Number(process.env.ALMANAC_RACES ?? 15);

export interface TestAccount {
  readonly id: string;
  readonly email: string;
}

export interface RaceScene {
  readonly database: Database;
  readonly context: WorkspaceContext & { readonly mails: readonly string[] };
  newAccount(): Promise<TestAccount>;
}

/** Opens enough connections that all racing operations run at the same time. */
async function openScene(fixture: TestDatabase): Promise<RaceScene> {
  const database = await openDatabase({ ...fixture.location, poolSize: 50 });
  fixture.cleanup(() => database.close());
  const identity = movableIdentity(database);
  return {
    database,
    context: recordMailRequests(identity),
    newAccount: () => makeAccount(identity, { password: null }),
  };
}

/** Declares a test of concurrent operations on PostgreSQL. Afterwards each workspace must have one owner. */
export function race(name: string, body: (scene: RaceScene) => Promise<void>): void {
  forEachDatabase(name, { migrations: MIGRATIONS, only: 'postgres' }, async (fixture) => {
    const scene = await openScene(fixture);
    await body(scene);
    await assertOneOwnerEach(scene.database);
  });
}

/** Returns `done`, `over` for null, or the code of the fault. Rethrows any other error. */
export function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    (value) => (value === null ? 'over' : 'done'),
    (error) => {
      if (error instanceof Fault) return error.code;
      throw error;
    },
  );
}

/** Starts two operations together, every second round in the other order. Returns their outcomes in the given order. */
export async function raceTwo(
  round: number,
  one: () => Promise<unknown>,
  two: () => Promise<unknown>,
): Promise<readonly [string, string]> {
  if (round % 2 === 0) return Promise.all([outcomeOf(one()), outcomeOf(two())]);
  const [second, first] = await Promise.all([outcomeOf(two()), outcomeOf(one())]);
  return [first, second];
}

/** Removes the workspace, because the number of workspaces of an owner is limited. */
export async function deleteWorkspaceRow(database: Database, workspaceId: string): Promise<void> {
  await database.query<WorkspaceTables>().deleteFrom('workspace').where('id', '=', workspaceId).execute();
}
