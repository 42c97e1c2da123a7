import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addForecastRow,
  FORECAST_MIGRATIONS as migrations,
  setForecastStatus,
} from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { Database } from '../../platform/index.ts';
import {
  captureCredits,
  creditMonth,
  readUsage,
  releaseCredits,
  releaseSlot,
  reserveCredits,
  takeSlot,
} from './charges.ts';
import { checkLedger, isLedgerSound } from './check-ledger.ts';

const SLOTS = 3;
const LIMIT = 50;
const MONTHS = [new Date('2026-11-30T23:59:59.999Z'), new Date('2026-12-01T00:00:00Z')] as const;

const owner = fc.nat({ max: 1 });
const now = fc.constantFrom(...MONTHS);
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), owner, now, credits: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constantFrom('capture' as const, 'release' as const), now, which: fc.nat() }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

interface Expected {
  readonly id: string;
  readonly owner: string;
  readonly credits: number;
  readonly month: string;
  state: 'reserved' | 'captured' | 'released';
}

forEachDatabase('the ledger is sound after any sequence of steps', { migrations }, async ({ database }) => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 30 }), async (steps) => {
      const name = `gst_${run++}`;
      const forecasts: Expected[] = [];
      for (const step of steps) {
        await apply(database, name, forecasts, step);
        await compareUsage(database, name, forecasts);
      }
      const report = await checkLedger(database);
      assert.ok(isLedgerSound(report), JSON.stringify(report));
    }),
    { seed: 11, numRuns: 40 },
  );
});

async function apply(database: Database, name: string, forecasts: Expected[], step: Step): Promise<void> {
  if (step.kind === 'create') {
    await create(database, forecasts, { ...step, owner: `${name}_${step.owner}` });
  } else if (forecasts.length > 0) {
    await settle(database, forecasts[step.which % forecasts.length] as Expected, step.kind, step.now);
  }
}

async function create(
  database: Database,
  forecasts: Expected[],
  { owner, credits, now }: { owner: string; credits: number; now: Date },
): Promise<void> {
  const month = creditMonth(now);
  const active = forecasts.filter((one) => one.owner === owner && one.state === 'reserved').length;
  const allowed = active < SLOTS && used(forecasts, owner, month) + credits <= LIMIT;
  const created = database.transaction(async (tx) => {
    const id = await addForecastRow(tx, { owner, credits });
    if (!(await takeSlot(tx, owner, SLOTS))) throw new Error('refused');
    if (!(await reserveCredits(tx, { owner, forecastId: id, credits, limit: LIMIT, now }))) throw new Error('refused');
    return id;
  });
  if (allowed) forecasts.push({ id: await created, owner, credits, month, state: 'reserved' });
  else await assert.rejects(created, /^Error: refused$/);
}

async function settle(database: Database, forecast: Expected, how: 'capture' | 'release', now: Date): Promise<void> {
  const { id, owner, credits } = forecast;
  const settled = database.transaction(async (tx) => {
    await setForecastStatus(tx, id, how === 'capture' ? 'completed' : 'failed');
    const transfer = how === 'capture' ? captureCredits : releaseCredits;
    await transfer(tx, { owner, forecastId: id, credits, now });
    await releaseSlot(tx, owner);
  });
  if (forecast.state !== 'reserved') return assert.rejects(settled, /already settled/);
  await settled;
  forecast.state = how === 'capture' ? 'captured' : 'released';
}

function used(forecasts: readonly Expected[], owner: string, month: string, state?: Expected['state']): number {
  return forecasts
    .filter((one) => one.owner === owner && one.month === month)
    .filter((one) => (state === undefined ? one.state !== 'released' : one.state === state))
    .reduce((sum, { credits }) => sum + credits, 0);
}

async function compareUsage(database: Database, name: string, forecasts: readonly Expected[]): Promise<void> {
  for (const owner of [`${name}_0`, `${name}_1`]) {
    for (const month of MONTHS.map(creditMonth)) {
      const usage = await readUsage(database, owner, month);
      assert.deepEqual(usage, {
        reserved: used(forecasts, owner, month, 'reserved'),
        spent: used(forecasts, owner, month, 'captured'),
      });
      assert.ok(usage.reserved + usage.spent <= LIMIT);
    }
  }
}
