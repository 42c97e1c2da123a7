import type { Account, Guest } from '../../access/index.ts';
import { DAY_MS } from '../../calendar/index.ts';
import { type ErrorCode, Fault, type SourceReference } from '../../contract/index.ts';
import { readPrincipal } from '../../identity/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { SnapshotContext, SourceRegistry, SourceRows } from '../../snapshots/index.ts';
import { NAMELESS } from '../owner.ts';
import {
  canRescale,
  compareOverlap,
  differs,
  findActuals,
  indexRows,
  MAX_OVERLAP,
  outcomeSource,
} from './match-rows.ts';
import {
  countPastSteps,
  firstReadTime,
  isBilled,
  isCollected,
  MAX_DELAY_MS,
  nextReadTime,
  nextRetryTime,
  type StepTimes,
  stepTimesOf,
} from './outcome-times.ts';
import { type OpenOutcome, readOpenOutcome } from './read-outcome.ts';
import { postponeOutcome, readInput, recordOutcome } from './record-outcome.ts';

export interface OutcomeContext extends SnapshotContext {
  readonly sources: SourceRegistry;
}

/** Which rows a check needs, and the account that they are read for. */
export interface WantedRows {
  readonly source: SourceReference;
  /** Milliseconds since 1970. */
  readonly cutoff: number;
  readonly limit: number;
  readonly accountId: string | undefined;
}

export type ReadRows = (wanted: WantedRows, signal?: AbortSignal) => Promise<SourceRows>;

interface CheckOptions {
  readonly readRows: ReadRows;
  /** The time of the run. The rows of all checks of a run are read as of this time. */
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

/** Why a check has no rows. */
interface ReadFailure {
  /**
   * `unavailable`: the owner may not read the source, or there is no such series. `changed`: the rows were read but are
   * not those of the forecast. `failed`: the next try may succeed.
   */
  readonly kind: 'unavailable' | 'changed' | 'failed';
  readonly reason: string;
}

/** Records the rows of a forecast whose periods are over and settled, if its outcome is due. */
export async function checkOutcome(context: OutcomeContext, forecastId: string, options: CheckOptions): Promise<void> {
  const open = await readOpenOutcome(context.database, forecastId);
  // The forecast was deleted, or another worker has checked it.
  if (open === null || open.outcome.next_check_at === null || open.outcome.next_check_at > options.now) return;
  const { settings, result } = open.forecast;
  const { source } = settings;
  if (source === null || !isCollected(settings)) return postponeOutcome(context, open, { next_check_at: null });
  const now = options.now.getTime();
  const steps = stepTimesOf(settings, result);
  const finalSteps = steps.filter(({ finalAt }) => finalAt <= now).length;
  const first = firstReadTime(settings, steps) ?? now;
  if (first > now || finalSteps <= lastRecorded(open)) {
    await postponeOutcome(context, open, {
      replayed_steps: open.outcome.replayed_steps ?? countPastSteps(steps, open.forecast.created_at),
      next_check_at: new Date(first > now ? first : nextReadTime(steps, lastRecorded(open), now)),
    });
    return;
  }
  const rows = await readSource(context, open, { ...options, source, steps, finalSteps });
  if ('kind' in rows) await recordFailure(context, open, steps, rows, options.now);
  else await recordRead(context, open, steps, rows, options.now);
}

function lastRecorded({ outcome }: OpenOutcome): number {
  return outcome.rows.at(-1)?.step ?? 0;
}

interface ReadOptions extends CheckOptions {
  readonly source: SourceReference;
  readonly steps: readonly StepTimes[];
  readonly finalSteps: number;
}

/** Faults after which the next try may succeed. */
const PASSING: readonly ErrorCode[] = [
  'PROVIDER_FAILED',
  'UNAVAILABLE',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'LIMIT_REACHED',
];

/** Limits are rounded up, so that forecasts of one series share a read. */
const LIMIT_STEP = 100;

/** Reads the rows of the final steps, and the last rows of the input, with the present rights of the owner. */
async function readSource(
  { database, sources }: OutcomeContext,
  { forecast }: OpenOutcome,
  { source: original, steps, finalSteps, readRows, now, signal }: ReadOptions,
): Promise<SourceRows | ReadFailure> {
  const owner = await readOwner(database, forecast);
  if (owner === null) return { kind: 'unavailable', reason: 'The account no longer exists.' };
  const source = outcomeSource(original);
  const { cadence, settleDays = 0 } = forecast.settings;
  const settled = now.getTime() - settleDays * DAY_MS;
  const cutoff = Math.min(settled, steps.at(-1)?.readUntil ?? settled);
  const limit = Math.ceil((finalSteps + MAX_OVERLAP) / LIMIT_STEP) * LIMIT_STEP;
  const accountId = owner.kind === 'account' ? owner.accountId : undefined;
  try {
    await sources.of(source).authorize(owner, source);
    const rows = await readRows({ source, cutoff, limit, accountId }, signal);
    if (rows.cadence.frequency === cadence.frequency) return rows;
    const reason = `The series now has the frequency ${rows.cadence.frequency} and not ${cadence.frequency}.`;
    return { kind: 'changed', reason };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: PASSING.includes(error.code) ? 'failed' : 'unavailable', reason: error.message };
  }
}

async function readOwner(
  executor: Executor,
  { account_id, guest_id }: OpenOutcome['forecast'],
): Promise<Account | Guest | null> {
  if (account_id !== null) return readPrincipal(executor, account_id);
  // The source of a nameless forecast is read with the rights that every caller has.
  return { kind: 'guest', guestId: guest_id ?? NAMELESS };
}

async function recordRead(
  context: OutcomeContext,
  open: OpenOutcome,
  steps: readonly StepTimes[],
  rows: SourceRows,
  now: Date,
): Promise<void> {
  const { forecast, outcome } = open;
  const source = forecast.settings.source as SourceReference;
  const current = indexRows(rows);
  const overlap = compareOverlap((await readInput(context, forecast)).table, current, {
    canRescale: canRescale(source),
    earlier: outcome.scale,
  });
  const { scale } = overlap;
  const actuals = findActuals(steps, current, { scale, now: now.getTime() });
  const recorded = new Map(outcome.rows.map((row) => [row.step, row]));
  const added = actuals.filter(({ step }) => !recorded.has(step));
  const revisions = actuals.flatMap(({ step, actual: value }) => {
    const row = recorded.get(step);
    const isOther = row !== undefined && differs(row.actual, value, scale);
    return isOther && (row.revised_to === null || differs(row.revised_to, value, scale)) ? [{ step, value }] : [];
  });
  const last = Math.max(lastRecorded(open), added.at(-1)?.step ?? 0);
  const late = steps.find(({ step, finalAt }) => step > last && finalAt <= now.getTime());
  const isEnded = isBilled(forecast.settings) || (late !== undefined && isOver(steps, now.getTime()));
  await recordOutcome(context, open, {
    steps,
    added,
    about: describeRows(rows, source),
    isEnded,
    revisions,
    fields: {
      reason: late === undefined ? null : describeMissing(late, isEnded),
      scale: scale === 1 ? null : scale,
      revised: outcome.revised || overlap.isRevised || revisions.length > 0,
      next_check_at: last === steps.length ? null : new Date(nextReadTime(steps, last, now.getTime())),
    },
  });
}

/** Returns whether the rows of the last steps are no longer waited for. @param from when waiting began at the earliest */
function isOver(steps: readonly StepTimes[], now: number, from = Number.NEGATIVE_INFINITY): boolean {
  return Math.max(steps.at(-1)?.finalAt ?? 0, from) + MAX_DELAY_MS <= now;
}

function describeMissing({ timestamp }: StepTimes, isEnded: boolean): string {
  const day = new Date(timestamp).toISOString();
  return isEnded
    ? `The source has no row of ${day}, and it is no longer expected.`
    : `The source has no row of ${day} yet.`;
}

/** Returns the description of recorded rows. It has nothing of the forecast, so that equal outcomes share a snapshot. */
function describeRows({ about, provider }: SourceRows, source: SourceReference) {
  const { title, units, frequency, publisher, license } = about;
  return {
    kind: 'forecast_outcome',
    source: outcomeSource(source),
    provider,
    title,
    units,
    frequency,
    publisher,
    license,
  };
}

/** Records that the source could not be read. After a long time the outcome ends with the rows that it has. */
export async function recordFailure(
  context: OutcomeContext,
  open: OpenOutcome,
  steps: readonly StepTimes[],
  { kind, reason }: ReadFailure,
  now: Date,
): Promise<void> {
  const { outcome, forecast } = open;
  const time = now.getTime();
  const isPaid = kind === 'changed' && isBilled(forecast.settings);
  if (isPaid || isOver(steps, time, outcome.opened_at.getTime())) {
    await recordOutcome(context, open, { steps, added: [], about: {}, isEnded: true, fields: { reason } });
    return;
  }
  const due = Math.max(steps[lastRecorded(open)]?.finalAt ?? time, firstReadTime(forecast.settings, steps) ?? 0);
  await postponeOutcome(context, open, {
    reason,
    ...(kind !== 'failed' && { status: 'unavailable' }),
    next_check_at: new Date(kind === 'failed' ? nextRetryTime(due, time) : time + DAY_MS),
  });
}
