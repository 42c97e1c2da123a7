import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '../../src/calendar/index.ts';

export type Row = Readonly<Record<string, string>>;

/** Read by path, because the packages do not export most of their files. */
const PACKAGES = path.join(import.meta.dirname, '../../node_modules');

/** Reads a CSV file of an installed package. The files used here have no quotes. */
export function readCsv(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(path.join(PACKAGES, file), 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
}

/** Functions that number the periods, so that a period without rows leaves a gap. */
export const PERIOD = {
  hour: (date: Date) => Math.floor(date.getTime() / (DAY_MS / 24)),
  day: (date: Date) => Math.floor(date.getTime() / DAY_MS),
  week: (date: Date) => Math.floor((date.getTime() / DAY_MS + 3) / 7),
  month: (date: Date) => 12 * date.getUTCFullYear() + date.getUTCMonth(),
} as const;

/** Sums a column over each period, oldest first; NaN for a period without rows. */
export function periodSums(rows: readonly Row[], period: keyof typeof PERIOD, date: string, column: string) {
  const sums = new Map<number, number>();
  for (const row of rows) {
    // Dates without a zone are read as UTC in every notation.
    const text = row[date] ?? '';
    const at = PERIOD[period](new Date(/[zZ]$/.test(text) ? text : text.includes('T') ? `${text}Z` : `${text} UTC`));
    sums.set(at, (sums.get(at) ?? 0) + Number(row[column]));
  }
  const first = Math.min(...sums.keys());
  return Float64Array.from(
    { length: Math.max(...sums.keys()) - first + 1 },
    (_, i) => sums.get(first + i) ?? Number.NaN,
  );
}
