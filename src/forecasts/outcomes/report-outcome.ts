import type { Account, Guest } from '../../access/index.ts';
import { MAX_MAGNITUDE } from '../../calendar/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { ForecastContext } from '../context.ts';
import { randomMark } from '../create/inline-input.ts';
import {
  forecastRemoved,
  outcomeBusy,
  outcomeCollected,
  outcomeComplete,
  outcomeNotCompleted,
  outcomeNotFinal,
  outcomeRecorded,
  outcomeStepUnknown,
  outcomeTimeRepeated,
  outcomeValueTooLarge,
} from '../faults.ts';
import { findForecast, requireAccess } from '../find-forecast.ts';
import type { ForecastTables } from '../tables.ts';
import type { ActualRow } from './match-rows.ts';
import { openMissingOutcomes } from './open-outcome.ts';
import { isCollected, type StepTimes, stepTimesOf } from './outcome-times.ts';
import { type OpenOutcome, readOpenOutcome, readOutcome } from './read-outcome.ts';
import { recordOutcome } from './record-outcome.ts';
import type { ReadableOutcome } from './view-outcome.ts';

/** An actual value from a caller. */
export interface ReportedPoint {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly value: number;
}

type Context = Pick<ForecastContext, 'database' | 'clock'>;

/** How often rows are recorded again after another request has added rows to the same outcome. */
const MAX_TRIES = 10;

/**
 * Records the actual values of a forecast whose rows came from its caller. Refuses a point that is not of a step of the
 * forecast, not final yet or recorded with another value; then nothing is recorded.
 *
 * @returns the forecast with its outcome, also to a caller whose credential can only write
 */
export async function reportOutcome(
  context: Context,
  principal: Account | Guest,
  idOrSlug: string,
  points: readonly ReportedPoint[],
): Promise<ReadableOutcome> {
  const forecast = await findForecast(context, principal, idOrSlug, 'forecast.update');
  const { id, settings, result } = forecast;
  if (result === null) throw outcomeNotCompleted(forecast.status);
  if (isCollected(settings)) throw outcomeCollected();
  await openMissingOutcomes(context.database, context.clock.now(), id);
  for (let i = 0; i < MAX_TRIES; i++) {
    const open = await readOpenOutcome(context.database, id);
    if (open === null) throw forecastRemoved();
    if (await reportOnce(context, principal, open, points)) {
      return { forecast: { ...forecast, result }, outcome: await readOutcome(context.database, id) };
    }
  }
  throw outcomeBusy();
}

async function reportOnce(
  context: Context,
  principal: Account | Guest,
  open: OpenOutcome,
  points: readonly ReportedPoint[],
): Promise<boolean> {
  const { id, settings, result } = open.forecast;
  const steps = stepTimesOf(settings, result);
  const added = acceptPoints(open, steps, points, context.clock.now().getTime());
  if (added.length === 0) return true;
  if (open.outcome.status === 'complete') throw outcomeComplete();
  return recordOutcome(context, open, {
    steps,
    added,
    about: {
      kind: 'forecast_outcome',
      source: settings.source ?? { type: 'inline' },
      frequency: settings.cadence.frequency,
      mark: randomMark(),
    },
    isEnded: false,
    begin: (tx) => lockForecast(tx, principal, id),
  });
}

/** Checks every point. Returns those that are not recorded yet, by step. */
function acceptPoints(
  { outcome }: OpenOutcome,
  steps: readonly StepTimes[],
  points: readonly ReportedPoint[],
  now: number,
): ActualRow[] {
  const byTime = new Map(steps.map((step) => [step.timestamp, step]));
  const recorded = new Map(outcome.rows.map(({ step, actual }) => [step, actual]));
  const added = new Map<number, ActualRow>();
  for (const [index, { timestamp, value }] of points.entries()) {
    const at = byTime.get(timestamp);
    if (at === undefined) throw outcomeStepUnknown(index, new Date(timestamp));
    if (Math.abs(value) > MAX_MAGNITUDE) throw outcomeValueTooLarge(index, MAX_MAGNITUDE);
    if (added.has(at.step)) throw outcomeTimeRepeated(index);
    if (at.finalAt > now) throw outcomeNotFinal(index, new Date(timestamp), new Date(at.finalAt));
    const known = recorded.get(at.step);
    if (known !== undefined && known !== value) throw outcomeRecorded(index, new Date(timestamp), known);
    added.set(at.step, { step: at.step, timestamp, actual: value });
  }
  return [...added.values()].filter(({ step }) => !recorded.has(step)).sort((one, other) => one.step - other.step);
}

/** Locks a forecast before its outcome, as a deletion does, and checks again that the caller may change it. */
async function lockForecast(tx: Transaction, principal: Account | Guest, id: string): Promise<void> {
  const locked = await tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'owner', 'workspace_id', 'visibility'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  await requireAccess(tx, principal, 'forecast.update', locked);
}
