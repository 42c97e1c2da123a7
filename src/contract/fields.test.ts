import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { email, identifier, instant, text, timestamp } from './fields.ts';

interface Case {
  readonly field: z.ZodType;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const CASES: Record<string, Case> = {
  text: {
    field: text({ max: 5 }),
    accepts: ['a', ' ', 'añ中', '👍', '\u{10ffff}', '\n\t'],
    refuses: ['', 'sixsix', 'a\u0000b', '\u0000', '\ud800', 'a\udc00', '\udc00\ud800', 5, null, undefined],
  },
  'text with a minimum length': { field: text({ min: 2, max: 3 }), accepts: ['ab', 'abc'], refuses: ['a', 'abcd'] },
  identifier: {
    field: identifier(),
    accepts: ['key_01K9ZK3Y6M2Q8V7N5T4R3E2W1A', 'a-slug', 'x'.repeat(100)],
    refuses: ['', 'x'.repeat(101), '\u0000', '\udfff'],
  },
  'instant (in responses)': {
    field: instant(),
    accepts: ['2026-01-31T09:30:00.000Z', '2024-02-29T23:59:59.999Z'],
    refuses: [
      '2026-01-31T09:30:00Z',
      '2026-01-31T09:30:00.000000Z',
      '2026-01-31T09:30:00.000+00:00',
      '2026-02-29T09:30:00.000Z',
      '+010000-01-01T00:00:00.000Z',
    ],
  },
  'timestamp (from callers)': {
    field: timestamp(),
    accepts: [
      '2026-01-31T09:30:00Z',
      '2026-01-31T09:30:00.123456+05:30',
      '9999-12-31T23:59:59.999Z',
      '0001-01-01T00:00:00Z',
    ],
    refuses: [
      '2026-01-31',
      '2026-01-31T09:30:00',
      '2026-02-29T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0001-01-01T00:00:00+01:00',
      '0000-06-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      1_769_851_800,
    ],
  },
  email: {
    field: email(),
    accepts: ['a@example.org', 'First.Last+tag@sub.example.co', `a@${'b.'.repeat(125)}de`],
    refuses: ['a', 'a@b', '@example.org', 'a@exa mple.org', 'a\u0000@example.org', `a@${'b.'.repeat(126)}de`],
  },
};

for (const [name, { field, accepts, refuses }] of Object.entries(CASES)) {
  test(`checks ${name}`, () => {
    for (const value of accepts) assert.ok(field.safeParse(value).success, `accepts ${JSON.stringify(value)}`);
    for (const value of refuses) {
      const { error } = field.safeParse(value);
      assert.equal(error?.issues.length, 1, `refuses ${JSON.stringify(value)} with one reason`);
    }
  });
}

test('converts an email address to lower case', () => {
  assert.equal(email().parse('Some.One@Example.ORG'), 'some.one@example.org');
});
