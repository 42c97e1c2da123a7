import { seriesUnknownHere } from '../failures.ts';
import { describeBundled, openBundled } from './bundled.ts';
import { chooseValue } from './choose-value.ts';
import { describeReading } from './describe-reading.ts';
import { readBytes } from './read-bytes.ts';
import { readRows } from './read-rows.ts';
import type { Target } from './read-target.ts';
import type { SeriesCommand } from './run-series-command.ts';

/** The rows of a series, oldest first. */
export interface History {
  readonly title: string;
  readonly units: string;
  readonly frequency: string;
  readonly timestamps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** What the JSON states besides the rows. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const MAX_ROWS = 50_000;

/** Reads the last rows of a file, a bundled series or a series of a service. */
export async function readHistory(target: Target, limit: number | undefined, command: SeriesCommand): Promise<History> {
  const { progress, values, terminal, isRemote } = command;
  const { signal } = progress;
  if (target.kind === 'rows') {
    const note = (line: string) => progress.note(line);
    const bytes = readBytes(target, { stdin: terminal.stdin, signal, note });
    const { rows, title, reading } = await readRows(bytes, target, values, undefined);
    for (const line of describeReading(reading)) note(line);
    const from = Math.max(0, rows.times.length - (limit ?? MAX_ROWS));
    const [timestamps, numbers] = [rows.times.subarray(from), rows.values.subarray(from)];
    return { title, units: '', frequency: reading.frequency, timestamps, values: numbers, facts: { reading } };
  }
  const { source, name } = target;
  const described = isRemote ? null : await describeBundled(source, signal);
  if (described !== null) {
    const sources = await openBundled();
    const chosen = chooseValue(described, source, (line) => progress.note(line));
    const { table, cadence, valueField, about } = await sources.of(source).read(chosen, { limit, signal });
    const { title = name, units = '' } = about as { title?: string; units?: string };
    const column = table.columns[valueField] ?? new Float64Array();
    return {
      title,
      units,
      frequency: cadence.frequency,
      timestamps: table.timestamps,
      values: column,
      facts: { source: about.source },
    };
  }
  const service = await command.findService();
  if (service === null) throw seriesUnknownHere(name);
  const read = await service.almanac.series.readObservations(
    { source, ...(limit !== undefined && { limit }) } as Parameters<
      typeof service.almanac.series.readObservations
    >[0] & {
      format?: undefined;
    },
    { signal },
  );
  return {
    title: name,
    units: read.units,
    frequency: read.frequency,
    timestamps: read.rows.map(({ timestamp }) => Date.parse(timestamp)),
    values: read.rows.map(({ value }) => value),
    facts: { source: read.source, snapshot_id: read.snapshot_id, truncated: read.truncated },
  };
}
