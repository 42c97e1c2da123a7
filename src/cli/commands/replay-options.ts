import { MAX_ROWS, MAX_STEPS_AHEAD } from '../../engine/index.ts';
import { type CommandValues, UsageError } from '../command.ts';
import { REPLAY_DEFAULTS } from './replay-defaults.ts';

export interface ReplayOptions {
  readonly symbol: string;
  readonly cutoffs: number;
  readonly horizons: readonly number[];
  readonly changes: readonly number[];
  readonly rows: number;
  readonly before: number;
  /** Where every question is written; left out: nowhere. */
  readonly csv: string | undefined;
}

const MAX_CUTOFFS = 500;
const MAX_LISTED = 20;
const MIN_ROWS = 30;

/** What the words of the command line ask for. Throws a `UsageError` that names the option. */
export function readReplayOptions(values: CommandValues): ReplayOptions {
  const word = (name: keyof typeof REPLAY_DEFAULTS): string => String(values[name] ?? REPLAY_DEFAULTS[name]);
  const isWhole = (least: number, most: number) => (value: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  const one = (name: 'cutoffs' | 'rows' | 'before', least: number, most: number): number => {
    const value = numberOf(word(name));
    if (isWhole(least, most)(value)) return value;
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not ${word(name)}.`);
  };
  const several = (name: 'horizons' | 'changes', isRight: (value: number) => boolean, rule: string): number[] => {
    const list = [...new Set(word(name).split(',').map(numberOf))].sort((a, b) => a - b);
    if (list.length <= MAX_LISTED && list.every(isRight)) return list;
    throw new UsageError(`--${name} must be at most ${MAX_LISTED} ${rule}, separated by commas, not ${word(name)}.`);
  };
  return {
    symbol: word('symbol'),
    cutoffs: one('cutoffs', 1, MAX_CUTOFFS),
    horizons: several('horizons', isWhole(1, MAX_STEPS_AHEAD), `whole numbers from 1 to ${MAX_STEPS_AHEAD}`),
    changes: several('changes', (value) => value > -100 && value <= 1000, 'percentages above -100 and up to 1000'),
    rows: one('rows', MIN_ROWS, MAX_ROWS),
    before: one('before', MIN_ROWS, MAX_ROWS),
    csv: values.csv as string | undefined,
  };
}

/** NaN for what is no plain decimal; an empty text is none. */
function numberOf(text: string): number {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
}
