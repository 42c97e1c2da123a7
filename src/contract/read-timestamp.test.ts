import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { readTimestamp } from './read-timestamp.ts';

const SCHEMA = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

test('reads dates and timestamps', () => {
  const accepted = [
    '2024-02-29',
    '0001-01-01',
    '9999-12-31',
    '1969-12-31T23:59:59Z',
    '2026-01-31T09:30:00Z',
    '2000-02-29T00:00:00.007Z',
    '2026-01-31T09:30:00.123456+05:30',
  ];
  for (const text of accepted) assert.equal(readTimestamp(text), Date.parse(text), text);
});

test('names the rule that a value breaks', () => {
  const refused = [
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-31',
    '2026-01',
    '20260131',
    '+010000-01-01',
    '2026-01-31 ',
    '2026-01-31T09:30:00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30:00,000Z',
    1_704_067_200,
    null,
    undefined,
  ];
  for (const value of refused) assert.match(String(readTimestamp(value)), /^must be a date, such as/, String(value));
  assert.match(String(readTimestamp('0000-01-01')), /between the years/);
  assert.match(String(readTimestamp('9999-12-31T23:59:59-01:00')), /between the years/);
});

test('agrees with the schema and Date.parse on any text that resembles a timestamp', () => {
  const field = (max: number, length: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(length, '0'));
  const date = fc.tuple(field(9999, 4), field(13, 2), field(32, 2)).map((parts) => parts.join('-'));
  const time = fc.tuple(field(24, 2), field(60, 2), field(60, 2)).map((parts) => parts.join(':'));
  const ending = fc.constantFrom('Z', '.000Z', '.999Z', '', '+01:00', '.5Z', 'z');
  const text = fc.oneof(
    date,
    fc.tuple(date, fc.constantFrom('T', ' ', 't'), time, ending).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (value) => {
      const isYearValid = !value.startsWith('0000') && !value.startsWith('9999');
      const read = readTimestamp(value);
      if (!SCHEMA.safeParse(value).success) assert.equal(typeof read, 'string', value);
      else if (isYearValid) assert.equal(read, Date.parse(value), value);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});
