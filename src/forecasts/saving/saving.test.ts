import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  addForecastRow,
  FORECAST_MIGRATIONS as migrations,
  setForecastStatus,
} from '../../../test/support/forecasts/forecast-rows.ts';
import { makeAccount } from '../../../test/support/identity/callers.ts';
import { MINUTE, movableIdentity, SECOND } from '../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { restingRows, tablesShowing } from '../../../test/support/snapshots/rows.ts';
import type { Account, Guest } from '../../access/index.ts';
import { type ErrorCode, Fault, SCOPES } from '../../contract/index.ts';
import type { Database } from '../../platform/index.ts';
import { listMemberships } from '../../workspaces/index.ts';
import { findForecast } from '../find-forecast.ts';
import { admit, leave } from '../metering/admission.ts';
import { checkLedger, isSound } from '../metering/check-ledger.ts';
import { reserve } from '../metering/reserve.ts';
import { capture } from '../metering/settle.ts';
import { prepareSave } from './prepare-save.ts';
import { removeOldProofs } from './proof.ts';
import { saveForecast } from './save-forecast.ts';

const ANNA: Guest = { kind: 'guest', guestId: 'gst_anna' };
const BERT: Guest = { kind: 'guest', guestId: 'gst_bert' };
const NOWHERE = 'ef_nowhere';

forEachDatabase('a guest’s forecast is saved with its proof, by id or slug', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const account = await newAccount(database);
  for (const named of ['id', 'slug'] as const) {
    const id = await completed(database);
    const name = named === 'id' ? id : `slug-of-${id}`.toLowerCase();
    await sql`UPDATE forecast SET slug = ${`slug-of-${id}`.toLowerCase()} WHERE id = ${id}`.execute(database.query());
    const prepared = await prepareSave(context, ANNA, name);
    assert.equal(prepared.forecastId, id);
    assert.match(prepared.secret, /^[\w-]{43}$/);
    assert.deepEqual(await tablesShowing(database, prepared.secret), [], 'only its hash is stored');
    context.clock.advance(15 * MINUTE - 1);
    const saved = { forecastId: id, proofSpent: true };
    assert.deepEqual(await saveForecast(context, account, name, prepared.secret), saved);
    assert.deepEqual(await ownersOf(database, id), [account.accountId, account.accountId, null]);
    assert.equal((await findForecast(context, account, id, 'forecast.read')).id, id);
    assert.equal(await refusal(findForecast(context, ANNA, id, 'forecast.read')), 'NOT_FOUND');
    assert.equal(await refusal(prepareSave(context, ANNA, id)), 'NOT_FOUND', 'it is no guest’s any more');

    const before = await restingRows(database);
    assert.deepEqual(await saveForecast(context, account, name, prepared.secret), saved, 'with the used proof');
    assert.deepEqual(await saveForecast(context, account, name, undefined), { ...saved, proofSpent: false });
    assert.deepEqual(await restingRows(database), before, 'a repeat changes nothing');
  }
});

forEachDatabase('only the guest who made it can prepare', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const account = await newAccount(database);
  const id = await completed(database);
  const published = await completed(database);
  await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${published}`.execute(database.query());
  const [place] = await listMemberships(database, account.accountId);
  const placed = await completed(database);
  await sql`UPDATE forecast SET workspace_id = ${place?.id} WHERE id = ${placed}`.execute(database.query());
  const before = await restingRows(database);
  const unknown = await fault(prepareSave(context, ANNA, NOWHERE));
  for (const [guest, other] of [[BERT, id] as const, [ANNA, placed] as const]) {
    assert.deepEqual(await fault(prepareSave(context, guest, other)), unknown);
  }
  const seen = await fault(prepareSave(context, BERT, published));
  assert.equal(seen.code, 'OWNERSHIP_REQUIRED', 'it is there for everybody to see');
  const open = await fault(prepareSave(context, ANNA, published));
  assert.equal(open.code, 'OWNERSHIP_REQUIRED', 'its own, but not private');
  assert.match(open.message, /is public; only a private one/);
  assert.equal(unknown.code, 'NOT_FOUND');
  for (const name of [id, NOWHERE]) {
    const refused = await fault(prepareSave(context, account, name));
    assert.equal(refused.code, 'OWNERSHIP_REQUIRED');
    assert.match(refused.message, /before signing in/);
  }
  for (const status of ['queued', 'running', 'failed'] as const) {
    await setForecastStatus(database, id, status);
    assert.equal(await refusal(prepareSave(context, ANNA, id)), 'NOT_COMPLETED');
    assert.equal(await refusal(prepareSave(context, BERT, id)), 'NOT_FOUND');
  }
  await setForecastStatus(database, id, 'completed');
  assert.deepEqual(await restingRows(database), before);
});

forEachDatabase('an account’s own forecast needs no proof, but must be completed', { migrations }, async (fixture) => {
  const { database } = fixture;
  const context = movableIdentity(database);
  const account = await newAccount(database);
  const id = await ownedBy(database, account);
  assert.deepEqual(await saveForecast(context, account, id, undefined), { forecastId: id, proofSpent: false });
  // A proof for another forecast is still good, so it is not called spent.
  const other = await completed(database);
  const { secret } = await prepareSave(context, ANNA, other);
  assert.equal((await saveForecast(context, account, id, secret)).proofSpent, false);
  for (const status of ['queued', 'running', 'failed'] as const) {
    await setForecastStatus(database, id, status);
    assert.equal(await refusal(saveForecast(context, account, id, undefined)), 'NOT_COMPLETED');
  }
  assert.equal((await saveForecast(context, account, other, secret)).proofSpent, true);
});

forEachDatabase('its own in a workspace needs its place there', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const [account, stranger] = [await newAccount(database), await newAccount(database)];
  const id = await ownedBy(database, account);
  const [place] = await listMemberships(database, account.accountId);
  const [elsewhere] = await listMemberships(database, stranger.accountId);
  await sql`UPDATE forecast SET workspace_id = ${place?.id} WHERE id = ${id}`.execute(database.query());
  assert.equal((await saveForecast(context, account, id, undefined)).forecastId, id);
  for (const visibility of ['private', 'workspace', 'public']) {
    await sql`
      UPDATE forecast SET workspace_id = ${elsewhere?.id}, visibility = ${visibility} WHERE id = ${id}
    `.execute(database.query());
    assert.equal(await refusal(saveForecast(context, account, id, undefined)), 'WORKSPACE_DENIED');
    // Who may see it is told whose it is; to others it is not there.
    const seen = visibility === 'private' ? 'NOT_FOUND' : 'OWNERSHIP_REQUIRED';
    assert.equal(await refusal(saveForecast(context, stranger, id, undefined)), seen);
  }
});

forEachDatabase('without a good proof nobody gets a guest’s forecast', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const [account, stranger] = [await newAccount(database), await newAccount(database)];
  const [id, other] = [await completed(database), await completed(database)];
  const save = (who: Account, name: string, secret?: string) => fault(saveForecast(context, who, name, secret));
  const unknown = await save(account, NOWHERE);
  assert.equal(unknown.code, 'NOT_FOUND');

  const replaced = await prepareSave(context, ANNA, id);
  const { secret } = await prepareSave(context, ANNA, id);
  const forOther = await prepareSave(context, ANNA, other);
  const before = await restingRows(database);
  for (const wrong of [undefined, '', 'x', '\0', 'A'.repeat(43), `${secret}=`, replaced.secret, forOther.secret]) {
    assert.deepEqual(await save(account, id, wrong), unknown, wrong);
  }
  assert.deepEqual(await save(account, NOWHERE, secret), unknown);
  context.clock.advance(15 * MINUTE);
  assert.equal((await save(account, id, secret)).code, 'OWNERSHIP_REQUIRED', 'expired');
  assert.deepEqual(await restingRows(database), before);

  const fresh = await prepareSave(context, ANNA, id);
  await saveForecast(context, account, id, fresh.secret);
  const after = await restingRows(database);
  assert.equal((await save(stranger, id, fresh.secret)).code, 'OWNERSHIP_REQUIRED', 'replayed');
  assert.deepEqual(await save(stranger, id), unknown);
  assert.deepEqual(await save(stranger, id, forOther.secret), unknown);
  assert.deepEqual(await restingRows(database), after);

  await sql`UPDATE forecast SET visibility = 'public' WHERE id = ${other}`.execute(database.query());
  const seen = await save(stranger, other);
  assert.deepEqual([seen.code, /somebody else/.test(seen.message)], ['OWNERSHIP_REQUIRED', true]);
});

forEachDatabase('a proof is not used up when the forecast cannot be had', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
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
    const before = await restingRows(database);
    assert.equal(await refusal(saveForecast(context, account, id, secret)), 'OWNERSHIP_REQUIRED');
    assert.deepEqual(await restingRows(database), before);
  }
});

forEachDatabase('a proof gives no other access', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const account = await newAccount(database);
  const id = await completed(database);
  await prepareSave(context, ANNA, id);
  for (const action of ['forecast.read', 'forecast.cancel', 'forecast.save'] as const) {
    assert.equal(await refusal(findForecast(context, account, id, action)), 'NOT_FOUND');
  }
  assert.deepEqual(await ownersOf(database, id), ['gst_anna', null, 'gst_anna']);
});

forEachDatabase('what it cost stays with the guest, and the ledger is sound', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const account = await newAccount(database);
  const id = await completed(database);
  const charge = { owner: ANNA.guestId, forecastId: id, credits: 10, now: context.clock.now() };
  await database.transaction(async (tx) => {
    assert.ok(await admit(tx, ANNA.guestId, 1));
    assert.ok(await reserve(tx, { ...charge, limit: 100 }));
    await leave(tx, ANNA.guestId);
    await capture(tx, charge);
  });
  const before = await restingRows(database);
  const { secret } = await prepareSave(context, ANNA, id);
  await saveForecast(context, account, id, secret);
  const after = await restingRows(database);
  for (const table of ['public.ledger_entry', 'public.admission']) {
    assert.ok(before[table]?.length, table);
    assert.deepEqual(after[table], before[table]);
  }
  assert.ok(isSound(await checkLedger(database)));
});

forEachDatabase('expired proofs are removed, used or not', { migrations }, async ({ database }) => {
  const context = movableIdentity(database);
  const account = await newAccount(database);
  const [used, unused, young] = [await completed(database), await completed(database), await completed(database)];
  const { secret } = await prepareSave(context, ANNA, used);
  await saveForecast(context, account, used, secret);
  await prepareSave(context, ANNA, unused);
  context.clock.advance(SECOND);
  await prepareSave(context, ANNA, young);
  context.clock.advance(15 * MINUTE - SECOND - 1);
  await removeOldProofs(database, context.clock);
  assert.deepEqual(await proofsOf(database), [used, unused, young].sort());
  context.clock.advance(1);
  await removeOldProofs(database, context.clock);
  assert.deepEqual(await proofsOf(database), [young]);
  assert.equal((await saveForecast(context, account, used, secret)).proofSpent, false, 'a repeat needs no proof');
});

function completed(database: Database): Promise<string> {
  return addForecastRow(database, { owner: ANNA.guestId, status: 'completed' });
}

async function ownedBy(database: Database, { accountId }: Account): Promise<string> {
  const id = await completed(database);
  await sql`
    UPDATE forecast SET owner = ${accountId}, account_id = ${accountId}, guest_id = NULL WHERE id = ${id}
  `.execute(database.query());
  return id;
}

async function newAccount(database: Database): Promise<Account> {
  const { id, email } = await makeAccount(movableIdentity(database), { password: null, plan: 'free' });
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

/** All that a caller would see of a refusal. */
async function fault(work: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const error = await work.then(
    () => assert.fail('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Fault)) throw error;
  return { code: error.code, message: error.message };
}

async function refusal(work: Promise<unknown>): Promise<ErrorCode> {
  return (await fault(work)).code;
}
