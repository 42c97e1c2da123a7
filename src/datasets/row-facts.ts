import type { SeriesDescription } from '../contract/index.ts';
import type { RowStatement } from './economic-provider.ts';

/** What a provider states about the rows of a snapshot. Its bytes enter the hash of the snapshot. */
export interface RowFacts {
  readonly last_update: string | null;
  readonly multiplier: number | null;
  readonly seasonal_adjustment: string | null;
  readonly footnotes: readonly string[];
  readonly flags: readonly FlaggedRows[];
  /** Whether footnotes or dates were left out. */
  readonly cut: boolean;
}

interface FlaggedRows {
  readonly flag: string;
  readonly label: string | null;
  readonly count: number;
  /** The newest first. */
  readonly dates: readonly string[];
}

interface FlaggedRow {
  readonly flag: string;
  readonly date: string;
}

const MAX_BYTES = 4 * 1024;
/** Footnotes leave room for the flags. */
const MAX_FOOTNOTE_BYTES = 2 * 1024;
const MAX_FLAGS = 20;
const MAX_LABEL_LENGTH = 60;

/**
 * Returns the facts about rows in a fixed order, in at most 4 KiB of JSON. If there are more, the last footnotes and the
 * oldest dates are left out.
 *
 * @param rows the positions of the rows of the snapshot among those of the statement, oldest first
 */
export function collectFacts(
  description: SeriesDescription,
  { flags, flagLabels, footnotes }: RowStatement,
  rows: readonly { readonly row: number; readonly timestamp: number }[],
): RowFacts {
  const flagged = rows.flatMap(({ row, timestamp }) => {
    const flag = flags[row];
    return flag === undefined ? [] : [{ flag, date: new Date(timestamp).toISOString().slice(0, 10) }];
  });
  const newestFirst = flagged.reverse();
  const keptNotes = takeWhileSmall(footnotes, MAX_FOOTNOTE_BYTES);
  const build = (dates: number): RowFacts => ({
    last_update: description.last_update ?? null,
    multiplier: description.multiplier ?? null,
    seasonal_adjustment: description.seasonal_adjustment ?? null,
    footnotes: keptNotes,
    flags: groupByFlag(newestFirst, dates, flagLabels),
    cut: keptNotes.length < footnotes.length || dates < newestFirst.length,
  });
  let [fits, tooMany] = [0, newestFirst.length + 1];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >>> 1;
    if (countBytes(build(middle)) <= MAX_BYTES) fits = middle;
    else tooMany = middle;
  }
  return build(fits);
}

function groupByFlag(
  newestFirst: readonly FlaggedRow[],
  dates: number,
  labels: RowStatement['flagLabels'],
): readonly FlaggedRows[] {
  const groups = [...Map.groupBy(newestFirst.entries(), ([, { flag }]) => flag)];
  return groups
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_FLAGS)
    .map(([flag, rows]) => ({
      flag,
      label: Object.hasOwn(labels, flag) ? (labels[flag] as string).slice(0, MAX_LABEL_LENGTH) : null,
      count: rows.length,
      dates: rows.filter(([position]) => position < dates).map(([, { date }]) => date),
    }));
}

function takeWhileSmall(texts: readonly string[], maxBytes: number): readonly string[] {
  const kept = [];
  let bytes = 0;
  for (const text of texts) {
    bytes += countBytes(text);
    if (bytes > maxBytes) break;
    kept.push(text);
  }
  return kept;
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
