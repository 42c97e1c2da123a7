import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  addForecastRow,
  FORECAST_MIGRATIONS as migrations,
  setForecastStatus,
} from '../../../test/support/forecasts/forecast-rows.ts';
import { savingContext } from '../../../test/support/forecasts/saving-context.ts';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { MINUTE, SECOND } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { readComparableRows, tablesContaining } from '../../../test/support/platform/rows.ts';
import { type Account, type Guest, licensesWithout } from '../../access/index.ts';
import { type ErrorCode, Fault, SCOPES } from '../../contract/index.ts';
import type { Database } from '../../platform/index.ts';
import { listMemberships } from '../../workspaces/index.ts';
import { findForecast } from '../find-forecast.ts';
import { captureCredits, releaseSlot, reserveCredits, takeSlot } from '../metering/charges.ts';
import { checkLedger, isLedgerSound } from '../metering/check-ledger.ts';
import { prepareSave, saveForecast } from './save-forecast.ts';
import { removeExpiredSaveProofs } from './save-proof.ts';

const ANNA: Guest = { kind: 'guest', guestId: 'gst_anna' };
const BERT: Guest = { kind: 'guest', guestId: 'gst_bert' };
const UNKNOWN_ID = 'ef_unknown';

forEachDatabase('saves a guest’s forecast with its proof, by id or slug', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const account = await newAccount(database);
  for (const form of ['id', 'slug'] as const) {
    const id = await completed(database);
    const name = form === 'id' ? id : `slug-of-${id}`.toLowerCase();
    await sql`UPDATE forecast SET slug = ${`slug-of-${id}`.toLowerCase()} WHERE id = ${id}`.execute(database.query());
    const prepared = await prepareSave(context, ANNA, name);
    assert.equal(prepared.forecastId, id);
    assert.match(prepared.secret, /^[\w-]{43}$/);
    assert.deepEqual(await tablesContaining(database, prepared.secret), [], 'only its hash is stored');
    context.clock.advance(15 * MINUTE - 1);
    const saved = { forecastId: id, proofSpent: true };
    assert.deepEqual(await saveForecast(context, account, name, prepared.secret), saved);
    assert.deepEqual(await ownersOf(database, id), [account.accountId, account.accountId, null]);
    assert.equal((await findForecast(context, account, id, 'forecast.read')).id, id);
    assert.equal(await faultCode(findForecast(context, ANNA, id, 'forecast.read')), 'NOT_FOUND');
    assert.equal(await faultCode(prepareSave(context, ANNA, id)), 'NOT_FOUND', 'it no longer belongs to a guest');
    const before = await readComparableRows(database);
    assert.deepEqual(await saveForecast(context, account, name, prepared.secret), saved, 'with the consumed proof');
    assert.deepEqual(await saveForecast(context, account, name, undefined), { ...saved, proofSpent: false });
    assert.deepEqual(await readComparableRows(database), before, 'a repeat changes nothing');
  }
});

forEachDatabase(
  'only the guest that created a forecast can prepare to save it',
  { migrations },
  async ({ database }) => {
    const context = savingContext(database);
    const account = await newAccount(database);
    const id = await completed(database);
    const published = await completed(database);
    await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${published}`.execute(database.query());
    const [membership] = await listMemberships(database, account.accountId);
    const inWorkspace = await completed(database);
    await sql`UPDATE forecast SET workspace_id = ${membership?.id} WHERE id = ${inWorkspace}`.execute(database.query());
    const before = await readComparableRows(database);
    const unknown = await fault(prepareSave(context, ANNA, UNKNOWN_ID));
    for (const [guest, other] of [[BERT, id] as const, [ANNA, inWorkspace] as const]) {
      assert.deepEqual(await fault(prepareSave(context, guest, other)), unknown);
    }
    const seen = await fault(prepareSave(context, BERT, published));
    assert.equal(seen.code, 'OWNERSHIP_REQUIRED', 'every caller sees it');
    const open = await fault(prepareSave(context, ANNA, published));
    assert.equal(open.code, 'OWNERSHIP_REQUIRED', 'the guest’s own, but not private');
    assert.match(open.message, /is public; only a private forecast/);
    assert.equal(unknown.code, 'NOT_FOUND');
    for (const name of [id, UNKNOWN_ID]) {
      const refused = await fault(prepareSave(context, account, name));
      assert.equal(refused.code, 'OWNERSHIP_REQUIRED');
      assert.match(refused.message, /before signing in/);
    }
    for (const status of ['queued', 'running', 'failed'] as const) {
      await setForecastStatus(database, id, status);
      assert.equal(await faultCode(prepareSave(context, ANNA, id)), 'NOT_COMPLETED');
      assert.equal(await faultCode(prepareSave(context, BERT, id)), 'NOT_FOUND');
    }
    await setForecastStatus(database, id, 'completed');
    assert.deepEqual(await readComparableRows(database), before);
  },
);

forEachDatabase('an account saves its own completed forecast without a proof', { migrations }, async (fixture) => {
  const { database } = fixture;
  const context = savingContext(database);
  const account = await newAccount(database);
  const id = await ownedBy(database, account);
  assert.deepEqual(await saveForecast(context, account, id, undefined), { forecastId: id, proofSpent: false });
  // A proof for another forecast is still valid, so it is not spent.
  const other = await completed(database);
  const { secret } = await prepareSave(context, ANNA, other);
  assert.equal((await saveForecast(context, account, id, secret)).proofSpent, false);
  for (const status of ['queued', 'running', 'failed'] as const) {
    await setForecastStatus(database, id, status);
    assert.equal(await faultCode(saveForecast(context, account, id, undefined)), 'NOT_COMPLETED');
  }
  assert.equal((await saveForecast(context, account, other, secret)).proofSpent, true);
});

forEachDatabase(
  'saving an own forecast in a workspace requires a membership there',
  { migrations },
  async ({ database }) => {
    const context = savingContext(database);
    const [account, stranger] = [await newAccount(database), await newAccount(database)];
    const id = await ownedBy(database, account);
    const [membership] = await listMemberships(database, account.accountId);
    const [elsewhere] = await listMemberships(database, stranger.accountId);
    await sql`UPDATE forecast SET workspace_id = ${membership?.id} WHERE id = ${id}`.execute(database.query());
    assert.equal((await saveForecast(context, account, id, undefined)).forecastId, id);
    for (const visibility of ['private', 'workspace', 'public']) {
      await sql`
      UPDATE forecast SET workspace_id = ${elsewhere?.id}, visibility = ${visibility} WHERE id = ${id}
    `.execute(database.query());
      assert.equal(await faultCode(saveForecast(context, account, id, undefined)), 'WORKSPACE_DENIED');
      // A caller that may see it gets the reason; for others it does not exist.
      const seen = visibility === 'private' ? 'NOT_FOUND' : 'OWNERSHIP_REQUIRED';
      assert.equal(await faultCode(saveForecast(context, stranger, id, undefined)), seen);
    }
  },
);

forEachDatabase('a guest’s forecast cannot be saved without a valid proof', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const [account, stranger] = [await newAccount(database), await newAccount(database)];
  const [id, other] = [await completed(database), await completed(database)];
  const save = (account: Account, name: string, secret?: string) => fault(saveForecast(context, account, name, secret));
  const unknown = await save(account, UNKNOWN_ID);
  assert.equal(unknown.code, 'NOT_FOUND');

  const replaced = await prepareSave(context, ANNA, id);
  const { secret } = await prepareSave(context, ANNA, id);
  const forOther = await prepareSave(context, ANNA, other);
  const before = await readComparableRows(database);
  for (const wrong of [undefined, '', 'x', '\0', 'A'.repeat(43), `${secret}=`, forOther.secret]) {
    assert.deepEqual(await save(account, id, wrong), unknown, wrong);
  }
  assert.deepEqual(await save(account, UNKNOWN_ID, secret), unknown);
  assert.equal((await save(account, id, replaced.secret)).code, 'OWNERSHIP_REQUIRED', 'replaced');
  context.clock.advance(15 * MINUTE);
  assert.equal((await save(account, id, secret)).code, 'OWNERSHIP_REQUIRED', 'expired');
  assert.deepEqual(await readComparableRows(database), before);

  const fresh = await prepareSave(context, ANNA, id);
  await saveForecast(context, account, id, fresh.secret);
  const after = await readComparableRows(database);
  assert.equal((await save(stranger, id, fresh.secret)).code, 'OWNERSHIP_REQUIRED', 'replayed');
  assert.deepEqual(await save(stranger, id), unknown);
  assert.deepEqual(await save(stranger, id, forOther.secret), unknown);
  assert.deepEqual(await readComparableRows(database), after);

  await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${other}`.execute(database.query());
  const seen = await save(stranger, other);
  assert.deepEqual([seen.code, /another caller/.test(seen.message)], ['OWNERSHIP_REQUIRED', true]);
});

forEachDatabase('a proof is not consumed when the forecast cannot be saved', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const account = await newAccount(database);
  const id = await completed(database);
  const { secret } = await prepareSave(context, ANNA, id);
  for (const undo of [
    () => setForecastStatus(database, id, 'failed'),
    async () => {
      await setForecastStatus(database, id, 'completed');
      await sql`UPDATE forecast SET owner = 'gst_bert', guest_id = 'gst_bert' WHERE id = ${id}`.execute(
        database.query(),
      );
    },
  ]) {
    await undo();
    const before = await readComparableRows(database);
    assert.equal(await faultCode(saveForecast(context, account, id, secret)), 'OWNERSHIP_REQUIRED');
    assert.deepEqual(await readComparableRows(database), before);
  }
});

forEachDatabase('a forecast with a denied license cannot be saved', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const [strict, account] = [{ ...context, licenses: licensesWithout(['Denied License']) }, await newAccount(database)];
  const [id, own] = [await completed(database), await ownedBy(database, account)];
  await sql`UPDATE snapshot SET header = '{"about":{"license":{"name":"Denied License"}}}'`.execute(database.query());
  const { secret } = await prepareSave(context, ANNA, id);
  const before = await readComparableRows(database);
  const refusals = [saveForecast(strict, account, id, secret), saveForecast(strict, account, own, undefined)];
  assert.deepEqual(await Promise.all(refusals.map(faultCode)), ['LICENSE_DENIED', 'LICENSE_DENIED']);
  assert.deepEqual(await readComparableRows(database), before);
  assert.equal((await saveForecast(context, account, id, secret)).proofSpent, true, 'the proof was not consumed');
});

forEachDatabase('a proof grants no other access', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const account = await newAccount(database);
  const id = await completed(database);
  await prepareSave(context, ANNA, id);
  for (const action of ['forecast.read', 'forecast.cancel', 'forecast.save'] as const) {
    assert.equal(await faultCode(findForecast(context, account, id, action)), 'NOT_FOUND');
  }
  assert.deepEqual(await ownersOf(database, id), ['gst_anna', null, 'gst_anna']);
});

forEachDatabase('the credits stay with the guest, and the ledger is sound', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const account = await newAccount(database);
  const id = await completed(database);
  const charge = { owner: ANNA.guestId, forecastId: id, credits: 10, now: context.clock.now() };
  await database.transaction(async (tx) => {
    assert.ok(await takeSlot(tx, ANNA.guestId, 1));
    assert.ok(await reserveCredits(tx, { ...charge, limit: 100 }));
    await releaseSlot(tx, ANNA.guestId);
    await captureCredits(tx, charge);
  });
  const before = await readComparableRows(database);
  const { secret } = await prepareSave(context, ANNA, id);
  await saveForecast(context, account, id, secret);
  const after = await readComparableRows(database);
  for (const table of ['public.ledger_entry', 'public.admission']) {
    assert.ok(before[table]?.length, table);
    assert.deepEqual(after[table], before[table]);
  }
  assert.ok(isLedgerSound(await checkLedger(database)));
});

forEachDatabase('removes expired proofs, consumed or not', { migrations }, async ({ database }) => {
  const context = savingContext(database);
  const account = await newAccount(database);
  const [consumed, unused, recent] = [await completed(database), await completed(database), await completed(database)];
  const { secret } = await prepareSave(context, ANNA, consumed);
  await saveForecast(context, account, consumed, secret);
  await prepareSave(context, ANNA, unused);
  context.clock.advance(SECOND);
  await prepareSave(context, ANNA, recent);
  context.clock.advance(15 * MINUTE - SECOND - 1);
  await removeExpiredSaveProofs(database, context.clock);
  assert.deepEqual(await proofsOf(database), [consumed, unused, recent].sort());
  context.clock.advance(1);
  await removeExpiredSaveProofs(database, context.clock);
  assert.deepEqual(await proofsOf(database), [recent]);
  assert.equal((await saveForecast(context, account, consumed, secret)).proofSpent, false, 'a repeat needs no proof');
});

function completed(database: Database): Promise<string> {
  return addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
}

async function ownedBy(database: Database, { accountId: to }: Account): Promise<string> {
  const id = await completed(database);
  const update = sql`UPDATE forecast SET owner = ${to}, account_id = ${to}, guest_id = NULL WHERE id = ${id}`;
  await update.execute(database.query());
  return id;
}

async function newAccount(database: Database): Promise<Account> {
  const { id, email } = await makeAccount(savingContext(database), { password: null, plan: 'free' });
  return {
    kind: 'account',
    accountId: id,
    email,
    emailVerified: true,
    plan: 'free',
    administrator: false,
    credential: 'session',
    credentialId: 'ses_1',
    credentialExpiresAt: null,
    scopes: SCOPES,
  };
}

async function ownersOf(database: Database, id: string): Promise<unknown[]> {
  const { rows } = await sql<{ owner: string; account_id: string | null; guest_id: string | null }>`
    SELECT owner, account_id, guest_id FROM forecast WHERE id = ${id}
  `.execute(database.query());
  return rows.flatMap(({ owner, account_id, guest_id }) => [owner, account_id, guest_id]);
}

async function proofsOf(database: Database): Promise<string[]> {
  const { rows } = await sql<{ forecast_id: string }>`SELECT forecast_id FROM save_proof`.execute(database.query());
  return rows.map(({ forecast_id }) => forecast_id).sort();
}

/** Returns what a caller sees of a fault. */
async function fault(work: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const error = await work.then(
    () => assert.fail('The request was not refused.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw error;
  return { code: error.code, message: error.message };
}

async function faultCode(work: Promise<unknown>): Promise<ErrorCode> {
  return (await fault(work)).code;
}
