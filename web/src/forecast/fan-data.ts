/** The numbers of the chart, as the page contains them. Times are in seconds since 1970. */
export interface FanData {
  readonly id: string;
  readonly name: string;
  readonly units: string | null;
  readonly frequency: string;
  readonly period: string;
  readonly history: Rows;
  /** Whether there are older rows that the page does not contain. */
  readonly truncated: boolean;
  readonly steps: readonly number[];
  /** The levels of the quantiles, ascending. */
  readonly levels: readonly string[];
  readonly quantiles: readonly Column[];
  readonly outcome: readonly {
    readonly step: number;
    readonly time: number;
    readonly actual: number;
    readonly replayed: boolean;
  }[];
  readonly members: readonly {
    readonly model: string;
    readonly name: string;
    readonly level: string;
    readonly values: Column;
  }[];
  readonly folds: readonly Window[];
  readonly audit: Window | null;
}

export interface Rows {
  readonly times: readonly number[];
  readonly values: Column;
}

export type Column = readonly (number | null)[];
export type Window = readonly [from: number, to: number];

/** A central interval of the fan, by the positions of its quantiles. */
export interface Band {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the intervals of a fan, widest first. */
export function bandsOf(levels: readonly string[]): Band[] {
  const numbers = levels.map(Number);
  return numbers.flatMap((level, low) => {
    // 1 - 0.9 is not exactly 0.1.
    const high = numbers.findIndex((other) => Math.abs(other - (1 - level)) < 1e-9);
    return level < 0.5 && high >= 0 ? [{ share: 1 - 2 * level, low, high }] : [];
  });
}

/** Returns the position of the median; -1 if the forecast has none. */
export function medianOf(levels: readonly string[]): number {
  return levels.findIndex((level) => Math.abs(Number(level) - 0.5) < 1e-9);
}

/** The rows of the chart as columns over one axis: the history, then the steps. */
export interface Columns {
  readonly times: readonly number[];
  /** Number of rows of the history. */
  readonly past: number;
  readonly history: Column;
  readonly quantiles: readonly Column[];
  readonly outcome: Column;
  readonly members: readonly Column[];
}

/**
 * Lays the rows of a forecast out over one axis. The fan and the lines of models begin at the last known value, so that
 * they do not float beside the history.
 */
export function toColumns({ history, steps, quantiles, outcome, members }: FanData): Columns {
  const past = history.times.length;
  const before = Array.from({ length: past }, () => null);
  const origin = history.values.at(-1) ?? null;
  const ahead = (values: Column): Column => {
    const column: (number | null)[] = [...before, ...values];
    if (past > 0) column[past - 1] = origin;
    return column;
  };
  const actual = new Map(outcome.map((row) => [row.step, row.actual]));
  return {
    times: [...history.times, ...steps],
    past,
    history: [...history.values, ...steps.map(() => null)],
    quantiles: quantiles.map(ahead),
    outcome: ahead(steps.map((_, step) => actual.get(step + 1) ?? null)),
    members: members.map(({ values }) => ahead(values)),
  };
}
