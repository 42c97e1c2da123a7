import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findViolations } from '../support/forecasts/living-market/find-violations.ts';
import { testedKind } from '../support/platform/database.ts';

// test/soak/living-market.ts lives through years with more forecasts, and checks outcomes every day.

test(`scores the forecasts of a year of a living market once, not early, and never from rows that were there [${testedKind}]`, async () => {
  const { violations, ...found } = await findViolations({
    kind: testedKind,
    forecasts: 20,
    seed: 1,
    everyDays: 7,
    selections: 2,
  });
  assert.deepEqual(violations, []);
  // Without these, the year would not show what it is meant to show.
  assert.equal(found.forecasts, 20);
  assert.ok(found.scored > 100 && found.rows > found.scored, JSON.stringify(found));
  assert.ok(found.revised > 0 && found.rescaled > 1, JSON.stringify(found));
});
