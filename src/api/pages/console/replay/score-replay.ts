/** A predicted row with the value that came. */
export interface ScoredRow {
  readonly actual: number;
  readonly quantiles: Readonly<Record<string, number>>;
}

/** How close a replay was to what came. A measure is null if it is undefined. */
export interface ReplayScore {
  readonly count: number;
  /** The average distance of the median from the value that came. */
  readonly mae: number | null;
  /** The average WQL, as the audit and the outcomes have it. */
  readonly averageWql: number | null;
}

/**
 * Scores a replay. The outcome of a forecast leaves replayed rows out, because their values could be known; a replay
 * consists of such rows, and its page states that.
 */
export function scoreReplay(rows: readonly ScoredRow[]): ReplayScore {
  const levels = Object.keys(rows[0]?.quantiles ?? {}).map((key) => ({ key, level: Number(key) }));
  const median = levels.find(({ level }) => level === 0.5)?.key;
  const total = sum(rows, ({ actual }) => Math.abs(actual));
  const pinball = sum(rows, ({ actual, quantiles }) =>
    sum(levels, ({ key, level }) => 2 * pinballLoss(level, actual, quantiles[key] ?? Number.NaN)),
  );
  const wql = pinball / levels.length / total;
  return {
    count: rows.length,
    mae:
      rows.length > 0 && median !== undefined
        ? sum(rows, ({ actual, quantiles }) => Math.abs(actual - (quantiles[median] ?? Number.NaN))) / rows.length
        : null,
    averageWql: Number.isFinite(wql) ? wql : null,
  };
}

function pinballLoss(level: number, actual: number, value: number): number {
  const over = actual - value;
  return over >= 0 ? level * over : (level - 1) * over;
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((added, item) => added + measure(item), 0);
}
