// A second computation of every figure, from the CSV files alone. It shares no code with src.

/** The values of a row by the heading of their column. */
export type CsvRow = Readonly<Record<string, string>>;

/** Reads a CSV file with a line of headings. */
export function readCsv(text: string): CsvRow[] {
  const [headings = [], ...lines] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => splitLine(line));
  return lines.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])));
}

function splitLine(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}

/** A predicted distribution with the actual value. */
export interface SecondRow {
  readonly actual: number;
  /** Pairs of a level and its value, ascending. */
  readonly quantiles: readonly (readonly [level: number, value: number])[];
}

/** Returns the cells of a row whose headings are a prefix and a level. */
export function quantilesOf(row: CsvRow, prefix: string): SecondRow['quantiles'] {
  return Object.entries(row)
    .filter(
      ([heading, cell]) => heading.startsWith(prefix) && /^0?\.\d+$/.test(heading.slice(prefix.length)) && cell !== '',
    )
    .map(([heading, cell]) => [Number(heading.slice(prefix.length)), Number(cell)] as const)
    .sort(([a], [b]) => a - b);
}

/** Returns twice the pinball loss, averaged over the levels and summed over the rows. */
export function totalLoss(rows: readonly SecondRow[]): number {
  let total = 0;
  for (const { actual, quantiles } of rows) {
    for (const [level, value] of quantiles) {
      const loss = actual < value ? (1 - level) * (value - actual) : level * (actual - value);
      total += (2 * loss) / quantiles.length;
    }
  }
  return total;
}

export interface SecondMetrics {
  readonly count: number;
  readonly mae: number | null;
  readonly average_wql: number | null;
  readonly coverage: Readonly<Record<string, number>>;
  readonly relative_wql: number | null;
}

/** Returns the scores of an outcome. @param baseline the rows of the seasonal naive forecast */
export function scoreSecond(rows: readonly SecondRow[], baseline: readonly SecondRow[]): SecondMetrics {
  const errors = rows.flatMap(({ actual, quantiles }) =>
    quantiles.filter(([level]) => level === 0.5).map(([, value]) => Math.abs(actual - value)),
  );
  const size = rows.reduce((sum, { actual }) => sum + Math.abs(actual), 0);
  const naive = totalLoss(baseline);
  return {
    count: rows.length,
    mae: errors.length === 0 ? null : errors.reduce((sum, error) => sum + error, 0) / errors.length,
    average_wql: size === 0 ? null : totalLoss(rows) / size,
    coverage: Object.fromEntries([...countInside(rows)].map(([interval, { inside, of }]) => [interval, inside / of])),
    relative_wql: rows.length === 0 || naive === 0 ? null : totalLoss(rows) / naive,
  };
}

/** Counts the rows inside each central interval, by its nominal share. */
export function countInside(rows: readonly SecondRow[]): Map<number, { inside: number; of: number }> {
  const counts = new Map<number, { inside: number; of: number }>();
  for (const { actual, quantiles } of rows) {
    for (const [low, from] of quantiles) {
      const upper = quantiles.find(([high]) => low < 0.5 && Math.abs(low + high - 1) < 1e-6);
      if (upper === undefined) continue;
      const interval = Number((upper[0] - low).toFixed(6));
      const count = counts.get(interval) ?? { inside: 0, of: 0 };
      counts.set(interval, count);
      count.of += 1;
      if (from <= actual && actual <= upper[1]) count.inside += 1;
    }
  }
  return counts;
}

/** Returns Wilson's interval of a share, at 95 %, as the roots of its quadratic equation. */
export function wilson(inside: number, of: number): { low: number; high: number } {
  const z = 1.959963984540054;
  const [a, b, c] = [1 + (z * z) / of, -(2 * inside + z * z) / of, (inside / of) ** 2];
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  return { low: Math.max(0, (-b - root) / (2 * a)), high: Math.min(1, (-b + root) / (2 * a)) };
}

/** Returns the geometric mean; null of no values. */
export function geometricMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((product, value) => product * value ** (1 / values.length), 1);
}

/** Returns whether two figures are equal apart from the order of additions. */
export function isNear(one: number | null | undefined, other: number | null | undefined, tolerance = 1e-9): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= tolerance * Math.max(1e-6, Math.abs(one), Math.abs(other));
}
