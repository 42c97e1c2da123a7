import { normalQuantile } from '../../../src/engine/index.ts';

/** One line of the CSV file of a track record. */
interface Line {
  readonly forecast: string;
  readonly sourceType: string;
  readonly model: string;
  readonly step: number;
  readonly actual: number;
  /** The levels with a value, ascending. */
  readonly levels: readonly number[];
  readonly values: readonly number[];
}

/** Reads the CSV file of a track record whose cells contain no commas. */
export function parseTrackRecord(csv: string): Line[] {
  if (csv.includes('"')) throw new Error('This reader does not accept quoted cells.');
  const [head = [], ...lines] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const at = (name: string) => head.indexOf(name);
  const levels = head.slice(at('actual') + 1);
  return lines.map((cells) => {
    const stated = levels.filter((level) => cells[at(level)] !== '');
    return {
      forecast: cells[at('forecast_id')] ?? '',
      sourceType: cells[at('source_type')] ?? '',
      model: cells[at('model')] ?? '',
      step: Number(cells[at('step')]),
      actual: Number(cells[at('actual')]),
      levels: stated.map(Number),
      values: stated.map((level) => Number(cells[at(level)])),
    };
  });
}

/** Twice the pinball loss of one line, averaged over these levels. */
function lossOf({ actual, levels, values }: Line, counted: readonly number[]): number {
  const losses = counted.map((level) => {
    const over = actual - (values[levels.indexOf(level)] as number);
    return 2 * Math.max(level * over, (level - 1) * over);
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / counted.length;
}

const BANDS = { '1': [1, 1], '2-5': [2, 5], '6-20': [6, 20], '21-60': [21, 60], '61-365': [61, 365] } as const;

/** Computes the record of one model from the lines of all, by definition and without the code of the service. */
export function recomputeRecord(all: readonly Line[], model: string) {
  const own = all.filter((line) => line.model === model);
  const bands = Object.entries(BANDS).flatMap(([steps, [first, last]]) => {
    const inBand = all.filter(({ step }) => step >= first && step <= last);
    const figures = recomputeFigures(inBand, model);
    return figures.rows === 0 ? [] : [{ steps, ...figures }];
  });
  const shares = own.flatMap((line) => tenthsOf(line) ?? []);
  const rows = Array.from({ length: 10 }, (_, i) =>
    shares.reduce((sum, { tenth, share }) => sum + (tenth === i ? share : 0), 0),
  );
  const total = rows.reduce((sum, count) => sum + count, 0);
  const deciles = rows.map((count, i) => ({
    from: i / 10,
    to: (i + 1) / 10,
    rows: count,
    share: total > 0 ? count / total : null,
  }));
  return { ...recomputeFigures(all, model), deciles, bands };
}

function recomputeFigures(lines: readonly Line[], model: string) {
  const own = lines.filter((line) => line.model === model);
  const baseline = new Map(
    lines
      .filter((line) => line.model === 'seasonal_naive_baseline')
      .map((line) => [`${line.forecast} ${line.step}`, line]),
  );
  const forecasts = Map.groupBy(own, ({ forecast }) => forecast);
  const logarithms = [...forecasts.values()].flatMap((rows) => {
    const loss = rows.reduce((sum, row) => sum + lossOf(row, row.levels), 0);
    const naive = rows.reduce((sum, row) => {
      const line = baseline.get(`${row.forecast} ${row.step}`);
      return sum + (line === undefined ? Number.NaN : lossOf(line, row.levels));
    }, 0);
    return naive > 0 ? [Math.log(Math.min(1000, Math.max(0.001, loss / naive)))] : [];
  });
  const mean = logarithms.reduce((sum, logarithm) => sum + logarithm, 0) / logarithms.length;
  return {
    forecasts: forecasts.size,
    rows: own.length,
    relative_wql: logarithms.length === 0 ? null : Math.exp(mean),
    compared: logarithms.length,
    coverage: coverageOf(own),
  };
}

function coverageOf(own: readonly Line[]) {
  const lowLevels = [...new Set(own.flatMap(({ levels }) => levels.filter((level) => level < 0.5)))].sort(
    (a, b) => b - a,
  );
  return lowLevels.flatMap((low) => {
    const isHigh = (level: number) => Math.abs(level + low - 1) < 1e-9;
    const stating = own.filter(({ levels }) => levels.includes(low) && levels.some(isHigh));
    if (stating.length === 0) return [];
    const inside = stating.filter(({ actual, levels, values }) => {
      const [from, to] = [values[levels.indexOf(low)], values[levels.findIndex(isHigh)]];
      return (from as number) <= actual && actual <= (to as number);
    }).length;
    const nominal = Number((1 - 2 * low).toFixed(9));
    const [rows, share] = [stating.length, inside / stating.length];
    // The ends of Wilson's interval are the shares p with (p - share)² = z² p (1 - p) / n.
    const square = 1.959963984540054 ** 2 / rows;
    const [a, b, c] = [1 + square, -(2 * share + square), share ** 2];
    const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
    const [from, to] = [(-b - root) / (2 * a), (-b + root) / (2 * a)];
    return [{ interval: String(nominal), nominal, inside, rows, share, low: from, high: to }];
  });
}

/** Returns the tenths in which a line lies, found by the values at their edges; null if its levels do not show them. */
function tenthsOf({ levels, values, actual }: Line): { tenth: number; share: number }[] | null {
  const gaps = levels.slice(1).map((level, i) => level - (levels[i] as number));
  if (!((levels[0] ?? 1) <= 0.1 && (levels.at(-1) ?? 0) >= 0.9 && gaps.every((gap) => gap < 0.4 + 1e-6))) return null;
  const tied = levels.filter((_, i) => values[i] === actual);
  if (tied.length > 1) {
    const from = tied[0] === levels[0] ? 0 : (tied[0] as number);
    const to = tied.at(-1) === levels.at(-1) ? 1 : (tied.at(-1) as number);
    return Array.from({ length: 10 }, (_, tenth) => {
      const overlap = Math.min(to, (tenth + 1) / 10) - Math.max(from, tenth / 10);
      return { tenth, share: Math.max(0, overlap) / (to - from) };
    });
  }
  const edges = Array.from({ length: 9 }, (_, k) => valueAt(levels, values, (k + 1) / 10));
  const below = edges.filter((edge) => edge < actual).length;
  const isAtEdge = tied.length === 1 && Number.isInteger(Number(((tied[0] as number) * 10).toFixed(6)));
  return isAtEdge
    ? [
        { tenth: below, share: 0.5 },
        { tenth: below + 1, share: 0.5 },
      ]
    : [{ tenth: below, share: 1 }];
}

function valueAt(levels: readonly number[], values: readonly number[], share: number): number {
  const above = levels.findIndex((level) => level >= share - 1e-9);
  const [to, high] = [levels[above] as number, values[above] as number];
  if (Math.abs(to - share) < 1e-9) return high;
  const [from, low] = [levels[above - 1] as number, values[above - 1] as number];
  const [a, b, z] = [normalQuantile(from), normalQuantile(to), normalQuantile(share)];
  return low + ((z - a) / (b - a)) * (high - low);
}
