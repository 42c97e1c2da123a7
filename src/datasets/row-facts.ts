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
const MAX_FLAG_LENGTH = 20;
const MAX_LABEL_LENGTH = 60;
const MAX_TEXT_LENGTH = 200;

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
    const flag = flags[row]?.slice(0, MAX_FLAG_LENGTH);
    return flag === undefined ? [] : [{ flag, date: new Date(timestamp).toISOString().slice(0, 10) }];
  });
  const newestFirst = flagged.reverse();
  const keptNotes = takeWhileSmall(footnotes, MAX_FOOTNOTE_BYTES);
  const groups = groupByFlag(newestFirst, flagLabels);
  const build = (flags: number, dates: number): RowFacts => ({
    last_update: description.last_update ?? null,
    multiplier: description.multiplier ?? null,
    seasonal_adjustment: description.seasonal_adjustment?.slice(0, MAX_TEXT_LENGTH) ?? null,
    footnotes: keptNotes,
    flags: groups.slice(0, flags).map(({ flag, label, rows }) => ({
      flag,
      label,
      count: rows.length,
      dates: rows.filter(({ position }) => position < dates).map(({ date }) => date),
    })),
    cut: keptNotes.length < footnotes.length || flags < groups.length || dates < newestFirst.length,
  });
  const fits = (flags: number, dates: number) => countBytes(build(flags, dates)) <= MAX_BYTES;
  const flagCount = findLargest(Math.min(groups.length, MAX_FLAGS), (flags) => fits(flags, 0));
  return build(
    flagCount,
    findLargest(newestFirst.length, (dates) => fits(flagCount, dates)),
  );
}

/** Returns the largest number up to `max` for which a test holds. The test holds for 0 and for all below the result. */
function findLargest(max: number, test: (count: number) => boolean): number {
  let [holds, fails] = [0, max + 1];
  while (fails - holds > 1) {
    const middle = (holds + fails) >>> 1;
    if (test(middle)) holds = middle;
    else fails = middle;
  }
  return holds;
}

interface FlagGroup extends Pick<FlaggedRows, 'flag' | 'label'> {
  /** The rows with this flag; the position counts from the newest of all flagged rows. */
  readonly rows: readonly { readonly position: number; readonly date: string }[];
}

function groupByFlag(newestFirst: readonly FlaggedRow[], labels: RowStatement['flagLabels']): readonly FlagGroup[] {
  const rows = newestFirst.map(({ flag, date }, position) => ({ flag, date, position }));
  return [...Map.groupBy(rows, ({ flag }) => flag)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([flag, rows]) => ({
      flag,
      label: Object.hasOwn(labels, flag) ? (labels[flag] as string).slice(0, MAX_LABEL_LENGTH) : null,
      rows,
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
