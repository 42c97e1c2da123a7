import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import {
  type Cadence,
  checkFrequency,
  checkSeries,
  type Frequency,
  inferFrequency,
  isCompleted,
  SeriesError,
} from '../../calendar/index.ts';
import type { InlineSource } from '../../contract/index.ts';
import { requireEnoughRows } from '../../engine/index.ts';
import { contradictedFrequency, invalidField } from '../faults.ts';
import { withEngineFaults } from './accept-request.ts';
import {
  type CreateRequest,
  type ForecastInput,
  formatCutoff,
  requestedFrequency,
  resolveCutoff,
} from './read-input.ts';

type Source = z.output<typeof InlineSource>;

interface Row {
  readonly timestamp: number;
  readonly value: number;
  /** The position in the request, counted from 1. */
  readonly number: number;
}

/** Returns a source with its rows in the order of time, so that the same rows in another order are the same input. */
export function sortPoints(source: Source): Source {
  return { ...source, points: sortRows(source).map(({ number }) => source.points[number - 1] as Source['points'][0]) };
}

/** Checks the rows that were sent with a request, sorts them, and keeps the last `limit` rows before the cutoff. */
export async function readInlineInput(request: CreateRequest, source: Source): Promise<ForecastInput> {
  const sorted = sortRows(source);
  const requested = requestedFrequency(request);
  const cadence: Cadence = { frequency: resolveFrequency(requested, sorted), kind: 'plain' };
  checkRows(cadence, sorted);
  const timestamp = sorted.at(-1)?.timestamp ?? Number.NaN;
  const cutoff = await resolveCutoff(request.cutoff, async () => ({ cadence, timestamp }));
  const completed = sorted.filter(({ timestamp }) => cutoff === null || isCompleted(cadence, timestamp, cutoff));
  const rows = request.limit === undefined ? completed : completed.slice(-request.limit);
  // The rows that are left can contradict a frequency that earlier rows did not.
  if (requested !== undefined) resolveFrequency(requested, rows);
  return {
    table: {
      timestamps: Float64Array.from(rows, ({ timestamp }) => timestamp),
      columns: { value: Float64Array.from(rows, ({ value }) => value) },
    },
    cadence,
    about: { kind: 'forecast_input', source: { type: 'inline' }, frequency: cadence.frequency, mark: randomMark() },
    source: null,
    cutoff: formatCutoff(cutoff),
  };
}

/**
 * Returns a mark that makes every snapshot of private rows different. If two forecasts had one snapshot, their public
 * proofs would reveal that somebody has the same rows, or that one account made both.
 */
function randomMark(): string {
  return randomBytes(16).toString('hex');
}

function sortRows({ points }: Source): Row[] {
  return points
    .map(({ timestamp, value }, index) => ({ timestamp: Date.parse(timestamp), value, number: index + 1 }))
    .sort((one, other) => one.timestamp - other.timestamp);
}

function checkRows(cadence: Cadence, rows: readonly Row[]): void {
  try {
    checkSeries(
      cadence,
      rows.map(({ timestamp }) => timestamp),
      rows.map(({ value }) => value),
    );
  } catch (error) {
    throw seriesFault(error, rows);
  }
}

/** Returns the frequency that the request names, if the rows do not contradict it, or else the one that they imply. */
function resolveFrequency(requested: Frequency | undefined, rows: readonly Row[]): Frequency {
  const timestamps = rows.map(({ timestamp }) => timestamp);
  try {
    if (requested === undefined) return inferFrequency(timestamps);
    checkFrequency(requested, timestamps);
    return requested;
  } catch (error) {
    // If there are too few rows for a forecast, naming a frequency would not help, so that fault comes first.
    if (error instanceof SeriesError && error.code === 'AMBIGUOUS_FREQUENCY') {
      withEngineFaults(() => requireEnoughRows(rows.length));
    }
    throw seriesFault(error, rows);
  }
}

/** Returns the fault for rows that are not a series. Its message numbers the rows as they were sent. */
function seriesFault(error: unknown, rows: readonly Row[]): unknown {
  if (!(error instanceof SeriesError)) return error;
  const message = error.formatMessage((index) => rows[index]?.number ?? index + 1);
  if (error.code === 'OTHER_FREQUENCY') return contradictedFrequency(message);
  return invalidField('source.points', error.code === 'IRREGULAR' ? `${message} Set frequency.` : message);
}
