import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type Cadence,
  checkFrequency,
  checkSeries,
  countCompleted,
  type Frequency,
  inferFrequency,
  SeriesError,
} from '../../calendar/index.ts';
import { InlineRows } from '../../contract/index.ts';
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

/**
 * Returns the hash of rows that were sent with a request. The same rows in another order or another form have the same
 * hash.
 */
export function hashRows({ times, values }: InlineRows): string {
  return createHash('sha256').update(bytesOf(times)).update(bytesOf(values)).digest('hex');
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Checks the rows that were sent with a request and keeps the last `limit` rows before the cutoff. */
export async function readInlineInput(request: CreateRequest, sent: InlineRows): Promise<ForecastInput> {
  const requested = requestedFrequency(request);
  const cadence: Cadence = { frequency: resolveFrequency(requested, sent), kind: 'plain' };
  // Each step takes tens of milliseconds for 50,000 rows, so that other requests are answered in between.
  await yieldToEventLoop();
  checkRows(cadence, sent);
  await yieldToEventLoop();
  const timestamp = sent.times.at(-1) ?? Number.NaN;
  const cutoff = await resolveCutoff(request.cutoff, async () => ({ cadence, timestamp }));
  const rows = lastRows(sent, cadence, cutoff, request.limit);
  // The rows that are left can contradict a frequency that earlier rows did not.
  if (requested !== undefined) resolveFrequency(requested, rows);
  return {
    table: { timestamps: rows.times, columns: { value: rows.values } },
    cadence,
    about: { kind: 'forecast_input', source: { type: 'inline' }, frequency: cadence.frequency, mark: randomMark() },
    source: null,
    cutoff: formatCutoff(cutoff),
    ...(cutoff !== null && { knownUntil: timestamp }),
  };
}

/** Returns the last rows, at most `limit`, whose period had ended at the cutoff. */
function lastRows(
  { times, values, numbers, field }: InlineRows,
  cadence: Cadence,
  cutoff: number | null,
  limit: number | undefined,
): InlineRows {
  const end = cutoff === null ? times.length : countCompleted(cadence, times, cutoff);
  const start = limit === undefined ? 0 : Math.max(0, end - limit);
  return new InlineRows({
    times: times.slice(start, end),
    values: values.slice(start, end),
    numbers: numbers.slice(start, end),
    field,
  });
}

/**
 * Returns a mark that makes every snapshot of private rows different. If two forecasts had one snapshot, their public
 * proofs would reveal that another account has the same rows, or that one account made both.
 */
export function randomMark(): string {
  return randomBytes(16).toString('hex');
}

function checkRows(cadence: Cadence, rows: InlineRows): void {
  try {
    checkSeries(cadence, rows.times, rows.values);
  } catch (error) {
    throw seriesFault(error, rows);
  }
}

/** Returns the frequency that the request names, if the rows do not contradict it, or else the one that they imply. */
function resolveFrequency(requested: Frequency | undefined, rows: InlineRows): Frequency {
  try {
    if (requested === undefined) return inferFrequency(rows.times);
    checkFrequency(requested, Array.from(rows.times));
    return requested;
  } catch (error) {
    // If there are too few rows for a forecast, naming a frequency would not help, so that fault comes first.
    if (error instanceof SeriesError && error.code === 'AMBIGUOUS_FREQUENCY') {
      withEngineFaults(() => requireEnoughRows(rows.times.length));
    }
    throw seriesFault(error, rows);
  }
}

/** Returns the fault for rows that are not a series. Its message numbers the rows as they were sent. */
function seriesFault(error: unknown, rows: InlineRows): unknown {
  if (!(error instanceof SeriesError)) return error;
  const message = error.formatMessage((index) => rows.numbers[index] ?? index + 1);
  if (error.code === 'OTHER_FREQUENCY') return contradictedFrequency(message);
  return invalidField(`source.${rows.field}`, error.code === 'IRREGULAR' ? `${message} Set frequency.` : message);
}
