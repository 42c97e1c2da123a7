import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExpectedReceipt, FIRST_STAMP_AT, InvalidReceiptError, readReceipt } from './read-receipt.ts';

const ID = `0x${'ab'.repeat(32)}`;
const SET = `0x${'cd'.repeat(32)}`;
const TRANSACTION = `0x${'ef'.repeat(32)}`;
const ADDRESS = '0x4A281DdC750359d5C0D2D51A890cefA43485EF2d';
const EXPECTED: ExpectedReceipt = {
  contentCid: ID,
  setCid: SET,
  now: new Date('2026-03-02T10:00:00Z'),
  notBefore: FIRST_STAMP_AT,
  isRecovered: false,
};
const RECEIPT = {
  transaction_hash: TRANSACTION,
  user_address: ADDRESS,
  set_cid: SET,
  object_cid: ID,
  timestamp: '2026-03-02T09:00:00+00:00',
  chain_id: 8453,
};

const read = (changes: object = {}, expected: Partial<ExpectedReceipt> = {}) =>
  readReceipt({ ...RECEIPT, ...changes }, { ...EXPECTED, ...expected });

test('a receipt is converted to lower case and UTC', () => {
  assert.deepEqual(read({ object_cid: ID.toUpperCase().replace('X', 'x'), transaction_hash: TRANSACTION.slice(2) }), {
    contentCid: ID,
    setCid: SET,
    transactionHash: TRANSACTION,
    userAddress: ADDRESS.toLowerCase(),
    userLabel: null,
    chainId: 8453,
    timestamp: new Date('2026-03-02T09:00:00Z'),
  });
});

test('times of all documented forms are read', () => {
  for (const timestamp of [
    '2026-03-02T09:00:00Z',
    '2026-03-02 09:00:00+00:00',
    '2026-03-02 04:00:00-0500',
    '2026-03-02T14:30:00+05:30',
    '2026-03-02 09:00:00.000000+00:00',
    '2026-03-02 09:00:00 UTC',
    '2026-03-02 09:00:00',
  ]) {
    assert.equal(read({ timestamp }).timestamp.toISOString(), '2026-03-02T09:00:00.000Z', timestamp);
  }
  const zoned = read({ timestamp: '2026-03-02 09:00:00+00:00' }, { timezone: 'America/New_York' });
  assert.equal(zoned.timestamp.toISOString(), '2026-03-02T09:00:00.000Z');
});

test('refuses receipts that would not verify, and names the field', () => {
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ object_cid: SET }, /^object_cid/],
    [{ object_cid: null }, /^object_cid/],
    [{ set_cid: ID }, /^set_cid/],
    [{ set_cid: '' }, /^set_cid/],
    [{ transaction_hash: `${TRANSACTION}0` }, /^transaction_hash/],
    [{ transaction_hash: undefined }, /^transaction_hash/],
    [{ chain_id: 0 }, /^chain_id/],
    [{ chain_id: '8453' }, /^chain_id/],
    [{ chain_id: 1.5 }, /^chain_id/],
    [{ timestamp: '' }, /^timestamp/],
    [{ timestamp: 1_772_442_000 }, /^timestamp/],
    [{ timestamp: '2026-02-30T09:00:00Z' }, /^timestamp/],
    [{ timestamp: '2026-02-28T25:00:00Z' }, /^timestamp/],
    [{ timestamp: '2026-03-02T09:00:00.5Z' }, /^timestamp/],
    [{ timestamp: '2026-03-03T09:00:00Z' }, /^timestamp/],
    [{ timestamp: '2019-12-31T23:59:59Z' }, /^timestamp: is before 2020-01-01T00:00:00\.000Z/],
    [{ timestamp: '1970-01-01T00:00:00Z' }, /^timestamp: is before/],
    [{ timestamp: 'Mon, 02 Mar 2026 09:00:00 GMT' }, /^timestamp/],
  ];
  for (const [changes, message] of refused) {
    assert.throws(() => read(changes), { name: InvalidReceiptError.name, message }, JSON.stringify(changes));
  }
  assert.throws(() => read({ timestamp: '2026-03-02 09:00:00' }, { timezone: 'America/New_York' }), /UTC/);
});

test('refuses a time before the one at which the stamp can exist', () => {
  const notBefore = new Date('2026-03-02T09:00:00Z');
  assert.deepEqual(read({}, { notBefore }).timestamp, notBefore);
  assert.throws(() => read({ timestamp: '2026-03-02T08:59:59Z' }, { notBefore }), InvalidReceiptError);
  assert.deepEqual(read({ timestamp: '2020-01-01T00:00:00Z' }).timestamp, FIRST_STAMP_AT);
});

test('the name of an account is a label only if recovery returned it, and never an address', () => {
  const views = (changes: object, isRecovered: boolean) => {
    const { userAddress, userLabel } = read(changes, { isRecovered });
    return [userAddress, userLabel];
  };
  assert.deepEqual(views({ user_address: 'Weather\u0000 desk' }, true), [null, 'Weather desk']);
  assert.deepEqual(views({ user_address: 'Weather desk' }, false), [null, null]);
  assert.deepEqual(views({ user_label: 'Weather desk' }, true), [ADDRESS.toLowerCase(), 'Weather desk']);
  assert.deepEqual(views({ user_label: 'Weather desk' }, false), [ADDRESS.toLowerCase(), null]);
  assert.deepEqual(views({ user_address: null, user_label: 7 }, true), [null, null]);
  assert.deepEqual(views({ user_address: '' }, true), [null, null]);
});
