import type { z } from 'zod';
import { type Account, accountIdOf, type Guest } from '../../access/index.ts';
import { type Cadence, daysBefore, type Frequency, isFrequency, MINUTE_MS } from '../../calendar/index.ts';
import type { ForecastRequestBody, SourceReference } from '../../contract/index.ts';
import type { ReadWindow, SeriesSource, SeriesTable, SourceRows } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import {
  cutoffInFuture,
  cutoffRequired,
  emptySeries,
  otherFrequency,
  unknownFrequency,
  vintagesMissing,
  vintageWithKnownAtCutoff,
} from '../faults.ts';

export type CreateRequest = z.output<typeof ForecastRequestBody>;

/** The rows to freeze as the input of a forecast. */
export interface ForecastInput {
  /** Has one column, the values to forecast. `soleColumn` reads it when the forecast is created and when it runs. */
  readonly table: SeriesTable;
  readonly cadence: Cadence;
  readonly about: Readonly<Record<string, unknown>>;
  readonly source: SourceReference | null;
  readonly cutoff: string | null;
  /** Present if the rows are those that were known at the cutoff. */
  readonly asKnownAtCutoff?: true;
  /** Present if a preferred provider failed and another one supplied the rows. */
  readonly fallbackUsed?: true;
  /** The bytes of the dry run before the rows were read. Present for warehouse tables. */
  readonly estimatedBytes?: number;
  /** The timestamp of the last row that the caller has. Present for rows of the caller with a cutoff. */
  readonly knownUntil?: number;
}

/** Reads the last `limit` rows of a source before the cutoff, if the caller may read the source now. */
export async function readSourceInput(
  context: Pick<ForecastContext, 'sources' | 'clock'>,
  principal: Account | Guest,
  request: CreateRequest,
  reference: SourceReference,
  signal?: AbortSignal,
): Promise<ForecastInput> {
  const requested = requestedFrequency(request);
  const source = context.sources.of(reference);
  await source.authorize(principal, reference);
  const known = requested === undefined ? null : await source.knownFrequency?.(reference);
  if (known && known !== requested) throw otherFrequency(known);
  const caller = { accountId: accountIdOf(principal), signal };
  const { rows, cutoff } = request.as_known_at_cutoff
    ? await readKnownRows(context, source, request, reference, caller)
    : await readRows(source, request, reference, caller);
  const { frequency } = rows.cadence;
  if (requested !== undefined && requested !== frequency) throw otherFrequency(frequency);
  return {
    table: selectColumn(rows.table, rows.valueField),
    cadence: rows.cadence,
    about: {
      ...rows.about,
      kind: 'forecast_input',
      ...(request.as_known_at_cutoff && { as_known_at_cutoff: true }),
    },
    source: rows.about.source as SourceReference,
    cutoff: formatCutoff(cutoff),
    ...(request.as_known_at_cutoff && { asKnownAtCutoff: true }),
    ...(rows.fallbackUsed && { fallbackUsed: true }),
    ...(rows.estimatedBytes !== undefined && { estimatedBytes: rows.estimatedBytes }),
    // A file can have rows after the cutoff, even of periods that are not over.
    ...(reference.type === 'workspace_csv' &&
      cutoff !== null && { knownUntil: (await readLast(source, reference, caller)).timestamp }),
  };
}

/** The caller that every read of a request is for. */
type ReadCaller = Pick<ReadWindow, 'accountId' | 'signal'>;

interface ReadRows {
  readonly rows: SourceRows;
  readonly cutoff: number | null;
}

/**
 * How long ago the rows of a forecast without a cutoff may have been requested from the provider. A row that was
 * published before the forecast must be a part of its input, because no later row counts as known.
 */
const MAX_ROWS_AGE_MS = 5 * MINUTE_MS;

async function readRows(
  source: SeriesSource,
  { cutoff: requested, limit }: CreateRequest,
  reference: SourceReference,
  caller: ReadCaller,
): Promise<ReadRows> {
  if (typeof requested === 'number' && source.readDaysBefore) {
    const rows = await source.readDaysBefore(reference, { days: requested, limit, ...caller });
    return { rows, cutoff: rows.cutoff };
  }
  const cutoff = await resolveCutoff(requested, () => readLast(source, reference, caller));
  const age = requested === undefined ? { maxAgeMs: MAX_ROWS_AGE_MS } : {};
  return { rows: await source.read(reference, { cutoff: cutoff ?? undefined, limit, ...age, ...caller }), cutoff };
}

/** Reads the rows before the cutoff with the values that were known then, without later revisions. */
async function readKnownRows(
  { clock }: Pick<ForecastContext, 'clock'>,
  source: SeriesSource,
  { cutoff: requested, limit }: CreateRequest,
  reference: SourceReference,
  caller: ReadCaller,
): Promise<ReadRows> {
  if (source.vintageAt === undefined) throw vintagesMissing();
  const cutoff = await resolveCutoff(requested, () => readLast(source, reference, caller));
  if (cutoff === null) throw cutoffRequired();
  if (cutoff > clock.now().getTime()) throw cutoffInFuture();
  const vintage = await source.vintageAt(reference, cutoff, caller.signal);
  const known = { ...reference, vintage } as SourceReference;
  return { rows: await source.read(known, { cutoff, limit, ...caller }), cutoff };
}

/**
 * Checks the fields that belong to `as_known_at_cutoff`. Throws a fault that names the field otherwise.
 */
export function checkKnownAtCutoff({ as_known_at_cutoff: isRequested, cutoff, source }: CreateRequest): void {
  if (!isRequested) return;
  if (cutoff === undefined) throw cutoffRequired();
  if ('vintage' in source && source.vintage !== undefined) throw vintageWithKnownAtCutoff();
  if (source.type === 'inline') throw vintagesMissing();
}

async function readLast(source: SeriesSource, reference: SourceReference, caller: ReadCaller): Promise<LastRow> {
  const { table, cadence } = await source.read(reference, { limit: 1, ...caller });
  const timestamp = table.timestamps.at(-1);
  if (timestamp === undefined) throw emptySeries();
  return { cadence, timestamp };
}

/** Returns the frequency that a request names, or undefined. Refuses an unknown name. */
export function requestedFrequency({ frequency }: Pick<CreateRequest, 'frequency'>): Frequency | undefined {
  if (frequency === undefined || isFrequency(frequency)) return frequency;
  throw unknownFrequency(frequency);
}

interface LastRow {
  readonly cadence: Cadence;
  readonly timestamp: number;
}

/** Returns the instant of a cutoff, which may be given in days before the last row; null if there is no cutoff. */
export async function resolveCutoff(
  cutoff: CreateRequest['cutoff'],
  readLast: () => Promise<LastRow>,
): Promise<number | null> {
  if (cutoff === undefined) return null;
  if (typeof cutoff === 'string') return Date.parse(cutoff);
  const { cadence, timestamp } = await readLast();
  return daysBefore(cadence, timestamp, cutoff);
}

export function formatCutoff(cutoff: number | null): string | null {
  return cutoff === null ? null : new Date(cutoff).toISOString();
}

/** Returns a table with only the chosen column. */
function selectColumn({ timestamps, columns }: SeriesTable, name: string): SeriesTable {
  const column = columns[name];
  if (column === undefined) throw new Error(`The source chose the column ${name}, which its table does not have.`);
  return { timestamps, columns: { [name]: column } };
}
