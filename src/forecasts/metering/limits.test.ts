import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countCredits } from './count-credits.ts';
import { limitsOf } from './limits.ts';
import { monthOf } from './month.ts';

test('each plan has its limits, and a guest fewer', () => {
  assert.deepEqual(limitsOf({ kind: 'guest' }), { slots: 1, credits: 500, horizon: 96, priority: 0 });
  assert.deepEqual(limitsOf({ kind: 'account', plan: 'free' }), {
    slots: 1,
    credits: 2_000,
    horizon: 365,
    priority: 1,
  });
  assert.deepEqual(limitsOf({ kind: 'account', plan: 'pro' }), {
    slots: 4,
    credits: 50_000,
    horizon: 365,
    priority: 2,
  });
  assert.deepEqual(limitsOf({ kind: 'account', plan: 'enterprise' }), {
    slots: 32,
    credits: null,
    horizon: 365,
    priority: 3,
  });
});

test('a credit is one model fitted once on up to 1,000 rows', () => {
  assert.equal(countCredits({ models: 1, rows: 1, folds: 0 }), 2);
  assert.equal(countCredits({ models: 1, rows: 1_000, folds: 0 }), 2);
  assert.equal(countCredits({ models: 1, rows: 1_001, folds: 0 }), 4);
  assert.equal(countCredits({ models: 5, rows: 50_000, folds: 3 }), 5 * 5 * 50);
});

test('a month is that of UTC', () => {
  assert.equal(monthOf(new Date('2026-11-30T23:59:59.999Z')), '2026-11');
  assert.equal(monthOf(new Date('2026-12-01T00:30:00+01:00')), '2026-11');
  assert.equal(monthOf(new Date('2026-12-01T00:00:00Z')), '2026-12');
});
