import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Account, Guest } from '../../access/index.ts';
import {
  type Cadence,
  checkSeries,
  inferFrequency,
  isCompleted,
  isFrequency,
  SeriesError,
} from '../../calendar/index.ts';
import type { InlineSource } from '../../contract/index.ts';
import { requireEnoughRows } from '../../engine/index.ts';
import type { ForecastContext } from '../context.ts';
import { invalidField, unknownFrequency } from '../faults.ts';
import { ownerOf } from '../owner.ts';
import { withEngineFaults } from './accept-request.ts';
import { type CreateRequest, type ForecastInput, formatCutoff, resolveCutoff } from './read-input.ts';

interface Point {
  readonly timestamp: number;
  readonly value: number;
}

/** Checks the rows that were sent with a request, and keeps the last `limit` rows before the cutoff. */
export async function readInlineInput(
  context: ForecastContext,
  principal: Account | Guest,
  request: CreateRequest,
  source: z.output<typeof InlineSource>,
): Promise<ForecastInput> {
  const points = source.points.map(({ timestamp, value }) => ({ timestamp: Date.parse(timestamp), value }));
  const cadence: Cadence = { frequency: resolveFrequency(request.frequency, points), kind: 'plain' };
  // Checked before rows are cut off, because the last of unsorted rows need not be the latest.
  checkPoints(cadence, points);
  const timestamp = points.at(-1)?.timestamp ?? Number.NaN;
  const cutoff = await resolveCutoff(request.cutoff, async () => ({ cadence, timestamp }));
  const completed = points.filter(({ timestamp }) => cutoff === null || isCompleted(cadence, timestamp, cutoff));
  const rows = request.limit === undefined ? completed : completed.slice(-request.limit);
  const mark = await hashOwner(context, principal);
  return {
    table: {
      timestamps: Float64Array.from(rows, ({ timestamp }) => timestamp),
      columns: { value: Float64Array.from(rows, ({ value }) => value) },
    },
    cadence,
    about: { kind: 'forecast_input', source: { type: 'inline' }, frequency: cadence.frequency, mark },
    source: null,
    cutoff: formatCutoff(cutoff),
  };
}

/**
 * Returns a mark that makes the snapshots of private rows different for each owner. A snapshot shared by two owners
 * would reveal to each that the other has the same rows.
 */
async function hashOwner({ privateRowsKey }: ForecastContext, principal: Account | Guest): Promise<string> {
  return createHmac('sha256', await privateRowsKey())
    .update(ownerOf(principal).id)
    .digest('hex')
    .slice(0, 32);
}

function checkPoints(cadence: Cadence, points: readonly Point[]): void {
  try {
    checkSeries(
      cadence,
      points.map(({ timestamp }) => timestamp),
      points.map(({ value }) => value),
    );
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    throw invalidField('source.points', error.message);
  }
}

/** Returns the frequency that the request names, or else the one that the timestamps imply. */
function resolveFrequency(requested: string | undefined, points: readonly Point[]): Cadence['frequency'] {
  if (requested !== undefined) {
    if (isFrequency(requested)) return requested;
    throw unknownFrequency(requested);
  }
  try {
    return inferFrequency(points.map(({ timestamp }) => timestamp));
  } catch (error) {
    if (!(error instanceof SeriesError)) throw error;
    // If there are too few rows for a forecast, naming a frequency would not help, so that fault comes first.
    if (error.code === 'AMBIGUOUS_FREQUENCY') withEngineFaults(() => requireEnoughRows(points.length));
    const remedy = error.code === 'IRREGULAR' ? ' Set frequency.' : '';
    throw invalidField('source.points', `${error.message}${remedy}`);
  }
}
