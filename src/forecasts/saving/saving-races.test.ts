import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { addForecastRow, FORECAST_MIGRATIONS as migrations } from '../../../test/support/forecasts/forecast-rows.ts';
import { savingContext } from '../../../test/support/forecasts/saving-context.ts';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { forEachDatabase, type TestDatabase, testedKind } from '../../../test/support/platform/database.ts';
import type { Account, Guest } from '../../access/index.ts';
import { Fault, SCOPES } from '../../contract/index.ts';
import { type Database, openDatabase } from '../../platform/index.ts';
import { prepareSave, saveForecast } from './save-forecast.ts';

const GUEST: Guest = { kind: 'guest', guestId: 'gst_1' };
// The embedded database runs one transaction at a time, so that few rounds differ.
const ROUNDS = Number(process.env.ALMANAC_RACES ?? (testedKind === 'postgres' ? 40 : 4));

forEachDatabase(
  '50 concurrent saves by one account all succeed and consume the proof once',
  { migrations },
  async (fixture) => {
    const database = await openWide(fixture);
    const context = savingContext(database);
    const [account] = await newAccounts(database, 1);
    assert.ok(account);
    const { id, secret } = await prepared(database);
    const readCount = await countConsumptions(database, fixture.cleanup);
    const saves = await Promise.all(Array.from({ length: 50 }, () => saveForecast(context, account, id, secret)));
    assert.deepEqual(saves, Array(50).fill({ forecastId: id, proofSpent: true }));
    assert.equal(await readCount(), 1);
    assert.deepEqual(await readOwners(database, id), [account.accountId, account.accountId]);
  },
);

forEachDatabase('of 20 accounts with one cookie, one saves the forecast', { migrations }, async (fixture) => {
  const database = await openWide(fixture);
  const accounts = await newAccounts(database, 20);
  const readCount = await countConsumptions(database, fixture.cleanup);
  for (let round = 1; round <= (testedKind === 'postgres' ? 5 : 2); round++) {
    const { id, secret } = await prepared(database);
    const winner = await race(database, accounts, id, secret);
    assert.deepEqual(await readOwners(database, id), [winner, winner]);
    assert.equal(await readCount(), round);
  }
});

forEachDatabase(
  `of two concurrent accounts, one saves the forecast, ${ROUNDS} times`,
  { migrations },
  async (fixture) => {
    const database = await openWide(fixture);
    const accounts = await newAccounts(database, 2);
    for (let round = 0; round < ROUNDS; round++) {
      const { id, secret } = await prepared(database);
      const winner = await race(database, round % 2 ? accounts : accounts.toReversed(), id, secret);
      assert.deepEqual(await readOwners(database, id), [winner, winner]);
    }
  },
);

forEachDatabase(
  'a concurrent prepare and save leave the forecast saved or prepared',
  { migrations },
  async (fixture) => {
    const database = await openWide(fixture);
    const context = savingContext(database);
    const [account] = await newAccounts(database, 1);
    assert.ok(account);
    for (let round = 0; round < ROUNDS; round++) {
      const { id, secret } = await prepared(database);
      const prepare = () => outcome(prepareSave(context, GUEST, id));
      const early = round % 2 ? prepare() : null;
      const saving = outcome(saveForecast(context, account, id, secret));
      const preparations = await Promise.all([early ?? prepare(), prepare()]);
      const saved = await saving;
      const isSaved = saved === 'done';
      const [owner] = await readOwners(database, id);
      assert.equal(owner, isSaved ? account.accountId : GUEST.guestId);
      if (isSaved) {
        assert.ok(preparations.every((answer) => answer === 'done' || answer === 'NOT_FOUND'));
        assert.equal(await usableProofs(database, id), 0);
      } else {
        // The proof was replaced before it was read, or after.
        assert.ok(saved === 'NOT_FOUND' || saved === 'OWNERSHIP_REQUIRED', saved);
        assert.deepEqual(preparations, ['done', 'done']);
        assert.equal(await usableProofs(database, id), 1, 'the later one replaced the earlier');
      }
    }
  },
);

/** Opens a connection for each request, so that they run concurrently. */
async function openWide({ database, location, cleanup }: TestDatabase): Promise<Database> {
  if (database.kind === 'pglite') return database;
  const wide = await openDatabase({ ...location, poolSize: 50 });
  cleanup(() => wide.close());
  return wide;
}

async function prepared(database: Database): Promise<{ id: string; secret: string }> {
  const id = await addForecastRow(database, { owner: GUEST.guestId, status: 'completed' });
  const { secret } = await prepareSave(savingContext(database), GUEST, id);
  return { id, secret };
}

/** Saves with every account concurrently. Returns the one that succeeded. */
async function race(database: Database, accounts: readonly Account[], id: string, secret: string): Promise<string> {
  const context = savingContext(database);
  const outcomes = await Promise.all(
    accounts.map(async (account) => ({
      account,
      answer: await outcome(saveForecast(context, account, id, secret)),
    })),
  );
  const [winner, ...others] = outcomes.filter(({ answer }) => answer === 'done');
  assert.ok(winner);
  assert.deepEqual(others, []);
  assert.ok(outcomes.every(({ answer }) => answer === 'done' || answer === 'OWNERSHIP_REQUIRED'));
  return winner.account.accountId;
}

/** Returns `done` or the code of the fault. Throws every other error. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

async function newAccounts(database: Database, count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let i = 0; i < count; i++) {
    const { id, email } = await makeAccount(savingContext(database), { password: null });
    accounts.push({
      kind: 'account',
      accountId: id,
      email,
      emailVerified: true,
      plan: 'pro',
      administrator: false,
      credential: 'key',
      credentialId: 'key_1',
      credentialExpiresAt: null,
      scopes: SCOPES,
    });
  }
  return accounts;
}

/** Counts with a trigger how often a proof is consumed. The cleanup leaves a database that the next test can use. */
async function countConsumptions(database: Database, cleanup: TestDatabase['cleanup']): Promise<() => Promise<number>> {
  cleanup(async () => {
    for (const statement of ['DROP FUNCTION note_consumption CASCADE', 'DROP TABLE consumption'])
      await sql.raw(statement).execute(database.query());
  });
  for (const statement of [
    'CREATE TABLE consumption (at timestamptz NOT NULL DEFAULT clock_timestamp())',
    `CREATE FUNCTION note_consumption() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN INSERT INTO consumption DEFAULT VALUES; RETURN NULL; END'`,
    'CREATE TRIGGER note AFTER UPDATE ON save_proof FOR EACH ROW EXECUTE FUNCTION note_consumption()',
  ]) {
    await sql.raw(statement).execute(database.query());
  }
  return async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM consumption`.execute(
      database.query(),
    );
    return rows[0]?.count ?? 0;
  };
}

/** Returns the owner of the forecast and the account that consumed its proof. */
async function readOwners(database: Database, id: string): Promise<unknown[]> {
  const { rows } = await sql<{ owner: string; consumed_by: string | null }>`
    SELECT owner, (SELECT consumed_by FROM save_proof WHERE forecast_id = forecast.id AND consumed_by IS NOT NULL)
    FROM forecast WHERE id = ${id}
  `.execute(database.query());
  return rows.flatMap(({ owner, consumed_by }) => [owner, consumed_by]);
}

async function usableProofs(database: Database, id: string): Promise<number> {
  const { rows } = await sql`
    SELECT 1 FROM save_proof WHERE forecast_id = ${id} AND consumed_at IS NULL
  `.execute(database.query());
  return rows.length;
}
