import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Fault } from '../../contract/index.ts';
import { parsePart } from './validate.ts';

const schema = z.strictObject({
  name: z.string().max(5),
  list: z.array(z.strictObject({ id: z.int() })).optional(),
});

function messageOf(value: unknown): string {
  try {
    parsePart(schema, value, 'body');
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'INVALID_REQUEST');
    return error.message;
  }
  return 'fine';
}

test('returns a valid value parsed', () => {
  assert.deepEqual(parsePart(z.strictObject({ n: z.coerce.number() }), { n: '1' }, 'query'), { n: 1 });
});

test('names the field of every mistake, or the request part when the whole value is wrong', () => {
  assert.match(messageOf(null), /^body: /);
  assert.match(messageOf({}), /^name: /);
  assert.match(messageOf({ name: 'x', list: [{ id: 1 }, { id: 'x' }] }), /^list\[1\]\.id: /);
  assert.match(messageOf({ name: 1, list: 2 }), /^name: .*\. list: .*\.$/);
  assert.equal(messageOf({ name: 'x', list: [{ id: 1, more: 2 }] }), 'list[0]: unknown field "more".');
});

test('reports the mistake within the only variant of a union that can match', () => {
  const list = z.array(z.strictObject({ id: z.int() })).max(2);
  const kinds = z.union([z.iso.date({ abort: true }), z.int(), list], { error: 'must be a date, a number or a list' });
  const either = z.strictObject({ of: kinds });
  const refused = (of: unknown) => {
    assert.throws(
      () => parsePart(either, { of }, 'body'),
      (error: Error) => {
        message = error.message;
        return true;
      },
    );
    return message;
  };
  let message = '';
  // A plain value could have been meant as any variant.
  assert.equal(refused('yesterday'), 'of: must be a date, a number or a list.');
  assert.equal(refused(2.5), 'of: must be a date, a number or a list.');
  assert.match(refused([{ id: 1 }, { id: 'x' }]), /^of\[1\]\.id: .*number/);
  assert.equal(refused([{ id: 1, more: 2 }]), 'of[0]: unknown field "more".');
  assert.match(refused([{ id: 1 }, { id: 2 }, { id: 3 }]), /^of: must have at most 2 items\.$/);
});

test('keeps a message with many mistakes short and on one line', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`field\n${place}`, 1]));
  const message = messageOf({ name: 'x', ...many });
  assert.ok(message.length < 500, message);
  assert.doesNotMatch(message, /\n/);
  const items = messageOf({ name: 'x', list: Array.from({ length: 1_000 }, () => ({ id: 'x' })) });
  assert.match(items, /\(995 more\)$/);
  assert.ok(items.length < 500);
});

test('names limits, options and types in plain words', () => {
  const schema = z.strictObject({
    horizon: z.number().max(365),
    models: z.array(z.string()).min(1),
    name: z.string().min(10),
    plan: z.enum(['free', 'pro']),
    rows: z.number(),
  });
  const value = { horizon: 999, models: [], name: 'x', plan: 'gold', rows: 'many' };
  assert.throws(() => parsePart(schema, value, 'body'), {
    message:
      'horizon: must be at most 365. models: must have at least 1 item. name: must have at least 10 characters. ' +
      'plan: must be one of free, pro. rows: must be of the type number.',
  });
});
