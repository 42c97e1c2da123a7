import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { TimestampReceipt } from '../../contract/index.ts';
import { type Database, type OutboxTables, outboxMigrations } from '../../platform/index.ts';
import { provenanceMigrations } from '../migrations/index.ts';
import { readReceipt, readReceipts } from './read-receipts.ts';
import { recordStamps, type Stamp } from './record-stamps.ts';
import { isSelected, requestStamps, type StampPolicy } from './request-stamp.ts';
import type { ProvenanceTables } from './tables.ts';
import { markWaiting, releaseOtherChains, takeWaitingProofs } from './waiting-proofs.ts';

const OPTIONS = { migrations: [outboxMigrations, provenanceMigrations] };
const NOW = new Date('2026-03-02T10:00:00Z');
const TOMORROW = new Date('2026-03-03T00:00:00Z');
const POLICY: StampPolicy = { isConfigured: true, selection: 'accounts' };

const cid = (name: string) => `0x${createHash('sha256').update(name).digest('hex')}`;

function request(database: Database, names: readonly string[], now = NOW): Promise<number> {
  return requestStamps(
    database,
    names.map((name) => ({ contentCid: cid(name), kind: 'forecast', subject: `ef_${name}` })),
    now,
  );
}

function take(database: Database, limit: number, { perDay = 1_000, now = NOW } = {}): Promise<string[]> {
  return database.transaction(async (tx) =>
    (await takeWaitingProofs(tx, { limit, perDay, now })).map(({ subject }) => subject).sort(),
  );
}

function stampOf(name: string): Stamp {
  return {
    contentCid: cid(name),
    setCid: cid('almanac'),
    transactionHash: cid('transaction'),
    userAddress: '0x00000000000000000000000000000000000000aa',
    chainId: 137,
    timestamp: new Date('2026-03-02T10:05:00Z'),
  };
}

test('the policy selects proofs of accounts, public ones or all', () => {
  const selected = (selection: StampPolicy['selection'], isGuest: boolean, visibility: 'private' | 'public') =>
    isSelected({ isConfigured: true, selection }, { isGuest, visibility });
  assert.deepEqual(
    (['accounts', 'public', 'all'] as const).map((selection) => [
      selected(selection, false, 'private'),
      selected(selection, false, 'public'),
      selected(selection, true, 'private'),
      selected(selection, true, 'public'),
    ]),
    [
      [true, true, false, false],
      [false, true, false, true],
      [true, true, true, true],
    ],
  );
  assert.equal(isSelected({ isConfigured: false, selection: 'all' }, { isGuest: false, visibility: 'public' }), false);
});

forEachDatabase('a proof is handed over once', OPTIONS, async ({ database }) => {
  assert.equal(await request(database, ['a', 'b']), 2);
  assert.equal(await request(database, ['b', 'c'], TOMORROW), 1);
  assert.deepEqual(await take(database, 10), ['ef_a', 'ef_b', 'ef_c']);
});

forEachDatabase('receipts show every state as the contract defines it', OPTIONS, async ({ database }) => {
  await request(database, ['waiting', 'stamped']);
  const show = async (name: string, policy = POLICY) => {
    const receipt = TimestampReceipt.parse(await readReceipt(database, policy, cid(name)));
    return [receipt.provider, receipt.content_cid === cid(name), receipt.status, receipt.error_code];
  };
  assert.deepEqual(await show('waiting'), ['vbase', true, 'pending', null]);
  await markWaiting(database, 'OUT_OF_FUNDS');
  assert.deepEqual(await show('waiting'), ['vbase', true, 'pending', 'OUT_OF_FUNDS']);
  assert.deepEqual(await show('unknown'), ['vbase', true, 'unavailable', 'NOT_SELECTED']);
  const off = { ...POLICY, isConfigured: false };
  assert.deepEqual(await show('unknown', off), ['vbase', true, 'unavailable', 'CHAIN_NOT_CONFIGURED']);
  assert.deepEqual(await show('waiting', off), ['vbase', true, 'unavailable', 'CHAIN_NOT_CONFIGURED']);
  await database.transaction((tx) => recordStamps(tx, [stampOf('stamped')], NOW));
  assert.deepEqual(await show('stamped', off), ['vbase', true, 'stamped', null]);
  const receipts = await readReceipts(database, POLICY, [cid('stamped'), cid('waiting')]);
  assert.deepEqual(receipts.get(cid('stamped'))?.receipt, {
    object_cid: cid('stamped'),
    set_cid: cid('almanac'),
    transaction_hash: cid('transaction'),
    user_address: '0x00000000000000000000000000000000000000aa',
    chain_id: 137,
    timestamp: '2026-03-02T10:05:00.000Z',
  });
  assert.equal(receipts.get(cid('waiting'))?.receipt, null);
});

forEachDatabase('a stamp is recorded once, with one event', OPTIONS, async ({ database }) => {
  await request(database, ['a', 'b']);
  const record = (...names: string[]) =>
    database.transaction((tx) =>
      recordStamps(
        tx,
        names.map((name) => stampOf(name)),
        NOW,
      ),
    );
  assert.equal(await record('a'), 1);
  assert.equal(await record('a', 'b', 'never handed over'), 1);
  const events = await database
    .query<OutboxTables>()
    .selectFrom('outbox_event')
    .select(['type', 'subject', 'sequence'])
    .orderBy('sequence')
    .execute();
  assert.deepEqual(
    events.map(({ type, subject }) => [type, subject]),
    [
      ['receipt.stamped', 'ef_a'],
      ['receipt.stamped', 'ef_b'],
    ],
  );
  assert.deepEqual(await take(database, 10), [], 'stamped proofs no longer wait');
});

forEachDatabase('beyond the limit of the day, proofs wait until the next one', OPTIONS, async ({ database }) => {
  await request(database, ['a', 'b', 'c', 'd']);
  assert.equal((await take(database, 2, { perDay: 3 })).length, 2);
  const taken = await take(database, 10, { perDay: 3 });
  assert.equal(taken.length, 3, 'the two that were taken before do not count again');
  const codes = async () => {
    const rows = await readReceipts(database, POLICY, ['a', 'b', 'c', 'd'].map(cid));
    return [...rows.values()].map(({ error_code }) => error_code).sort();
  };
  assert.deepEqual(await codes(), ['DAILY_LIMIT', null, null, null]);
  assert.equal((await take(database, 10, { perDay: 3, now: TOMORROW })).length, 4);
  assert.deepEqual(await codes(), [null, null, null, null]);
});

forEachDatabase('proofs of a chain that is no longer configured are free again', OPTIONS, async ({ database }) => {
  await request(database, ['bound', 'stamped']);
  const transaction = { id: 'stx_1', chain_id: 5, contract: '0x', sender: '0x', nonce: 0, set_cid: '0x', data: '0x' };
  const db = database.query<ProvenanceTables>();
  await db
    .insertInto('stamp_transaction')
    .values({ ...transaction, kind: 'objects', gas: 1, state: 'open', from_block: 1, created_at: NOW })
    .execute();
  await db.updateTable('proof').set({ transaction_id: 'stx_1', place: 0, status: 'stamping' }).execute();
  await database.transaction((tx) => recordStamps(tx, [stampOf('stamped')], NOW));
  await releaseOtherChains(database, 5);
  assert.deepEqual(await take(database, 10), []);
  await releaseOtherChains(database, null);
  assert.deepEqual(await take(database, 10), ['ef_bound']);
  assert.equal((await readReceipt(database, POLICY, cid('bound'))).status, 'pending');
  assert.equal((await readReceipt(database, POLICY, cid('stamped'))).status, 'stamped');
});
