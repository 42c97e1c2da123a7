import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Principal } from '../../access/index.ts';
import {
  barEnd,
  type Cadence,
  checkSeries,
  inferFrequency,
  isCompleted,
  isFrequency,
  SeriesError,
} from '../../calendar/index.ts';
import { Fault, type ForecastRequestBody, type InlineSource, type SourceReference } from '../../contract/index.ts';
import { refuseTooFewRows } from '../../engine/index.ts';
import type { SeriesTable } from '../../snapshots/index.ts';
import type { JobContext } from '../context.ts';
import { knownCaller, ownerOf } from '../owner.ts';
import { withFaults } from './engine-faults.ts';

export type ForecastBody = z.output<typeof ForecastRequestBody>;

/** Rows to forecast from, as they are frozen. */
export interface ForecastInput {
  readonly table: SeriesTable;
  readonly valueField: string;
  readonly cadence: Cadence;
  readonly about: Readonly<Record<string, unknown>>;
  readonly source: SourceReference | null;
  readonly cutoff: string | null;
}

const DAY = 86_400_000;

/** Reads what a request names, if this caller may read it now: the rows before the cutoff, and of these the last ones. */
export async function readInput(
  context: JobContext,
  principal: Principal,
  body: ForecastBody,
  signal?: AbortSignal,
): Promise<ForecastInput> {
  const { source, limit } = body;
  if (source.type === 'inline') return inlineInput(source, body, await ownMark(context, principal));
  const from = context.sources.of(source);
  await from.authorize(principal, source);
  const lastEnd = async (): Promise<number> => {
    const { table, cadence } = await from.read(source, { limit: 1, signal });
    const last = table.timestamps.at(-1);
    if (last === undefined) throw new Fault('INSUFFICIENT_HISTORY', 'The series has no rows.');
    return barEnd(cadence, last);
  };
  const cutoff = await resolveCutoff(body.cutoff, lastEnd);
  const rows = await from.read(source, { cutoff: cutoff ?? undefined, limit, signal });
  refuseOtherFrequency(body.frequency, rows.cadence.frequency);
  return {
    table: rows.table,
    valueField: rows.valueField,
    cadence: rows.cadence,
    about: { ...rows.about, kind: 'forecast_input' },
    source: rows.about.source as SourceReference,
    cutoff: cutoff === null ? null : new Date(cutoff).toISOString(),
  };
}

async function resolveCutoff(cutoff: ForecastBody['cutoff'], lastEnd: () => Promise<number>): Promise<number | null> {
  if (cutoff === undefined) return null;
  return typeof cutoff === 'string' ? Date.parse(cutoff) : (await lastEnd()) - cutoff * DAY;
}

async function inlineInput(
  source: z.output<typeof InlineSource>,
  body: ForecastBody,
  mark: string,
): Promise<ForecastInput> {
  const points = source.points.map(({ timestamp, value }) => ({ timestamp: Date.parse(timestamp), value }));
  const cadence: Cadence = { frequency: inlineFrequency(body.frequency, points), kind: 'plain' };
  // Before anything is cut off: rows out of order would leave with the wrong end.
  refuseBadRows(cadence, points);
  const last = points.at(-1)?.timestamp ?? Number.NaN;
  const cutoff = await resolveCutoff(body.cutoff, async () => barEnd(cadence, last));
  const kept = points.filter(({ timestamp }) => cutoff === null || isCompleted(cadence, timestamp, cutoff));
  const rows = body.limit === undefined ? kept : kept.slice(-body.limit);
  return {
    table: {
      timestamps: Float64Array.from(rows, ({ timestamp }) => timestamp),
      columns: { value: Float64Array.from(rows, ({ value }) => value) },
    },
    valueField: 'value',
    cadence,
    about: { kind: 'forecast_input', source: { type: 'inline' }, frequency: cadence.frequency, mark },
    source: null,
    cutoff: cutoff === null ? null : new Date(cutoff).toISOString(),
  };
}

/**
 * Keeps the snapshots of private rows apart by their owners: equal rows of two owners with one snapshot would tell each
 * of them that somebody else has them, too.
 */
async function ownMark(context: JobContext, principal: Principal): Promise<string> {
  const owner = ownerOf(knownCaller(principal)).id;
  return createHmac('sha256', await context.cursorKey())
    .update(owner)
    .digest('hex')
    .slice(0, 32);
}

function refuseBadRows(cadence: Cadence, points: readonly { timestamp: number; value: number }[]): void {
  try {
    checkSeries(
      cadence,
      points.map(({ timestamp }) => timestamp),
      points.map(({ value }) => value),
    );
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    throw new Fault('INVALID_REQUEST', `source.points: ${error.message}`);
  }
}

function inlineFrequency(asked: string | undefined, points: readonly { timestamp: number }[]): Cadence['frequency'] {
  if (asked !== undefined) {
    if (isFrequency(asked)) return asked;
    throw new Fault('INVALID_REQUEST', `frequency: ${JSON.stringify(asked)} is not a frequency.`);
  }
  try {
    return inferFrequency(points.map(({ timestamp }) => timestamp));
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    // Naming a frequency would not help: they are too few for a forecast, too.
    if (error.code === 'AMBIGUOUS_FREQUENCY') withFaults(() => refuseTooFewRows(points.length));
    const remedy = error.code === 'IRREGULAR' ? ' Name it in frequency.' : '';
    throw new Fault('INVALID_REQUEST', `source.points: ${error.message}${remedy}`);
  }
}

function refuseOtherFrequency(asked: string | undefined, actual: string): void {
  if (asked === undefined || asked === actual) return;
  throw new Fault('INVALID_REQUEST', `frequency: the series is ${actual}; leave it out or ask for that.`);
}
