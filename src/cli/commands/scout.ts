import { open } from 'node:fs/promises';
import type { Config } from '../../platform/index.ts';
import { type CommandOptions, type CommandValues, type LocalCommand, UsageError } from '../command.ts';
import { csvUnwritable, replayStopped } from '../faults.ts';
import { formatBar, formatTimeLeft, type ProgressStream, startProgress } from '../progress.ts';

const DEFAULTS = {
  symbol: '^GSPC',
  cutoffs: '50',
  horizons: '5,21,63',
  changes: '-5,-2,0,2,5',
  rows: '1000',
  // About five years of sessions: base rates from fewer sessions mean little.
  before: '1260',
};

const OPTIONS: CommandOptions = {
  symbol: { type: 'string', value: 'SYMBOL', default: DEFAULTS.symbol, help: 'a symbol with bundled daily bars' },
  cutoffs: {
    type: 'string',
    value: 'NUMBER',
    format: 'number',
    default: DEFAULTS.cutoffs,
    help: 'number of cutoffs at which to forecast',
  },
  horizons: {
    type: 'string',
    value: 'LIST',
    format: 'numbers',
    default: DEFAULTS.horizons,
    help: 'horizons in sessions',
  },
  changes: {
    type: 'string',
    value: 'LIST',
    format: 'numbers',
    default: DEFAULTS.changes,
    help: 'thresholds as changes in percent',
  },
  rows: {
    type: 'string',
    value: 'NUMBER',
    format: 'number',
    default: DEFAULTS.rows,
    help: 'number of rows of history for each forecast',
  },
  before: {
    type: 'string',
    value: 'NUMBER',
    format: 'number',
    default: DEFAULTS.before,
    help: 'number of sessions before the first cutoff',
  },
  csv: { type: 'string', value: 'FILE', format: 'path', help: 'a file to which every question is written' },
};

/** This command uses only files, so it needs no database and does not affect a running service. */
export const scoutCommands: LocalCommand[] = [
  {
    name: 'scout replay',
    arguments: [],
    options: OPTIONS,
    summary: 'Forecasts a bundled history at past cutoffs and scores threshold questions against base rates.',
    example: 'scout replay --cutoffs 20 --horizons 5,21 --csv questions.csv',
    run: (config, _args, values, { stderr }) => replayHistory(config, values, stderr),
  },
];

async function replayHistory(config: Config, values: CommandValues, stderr: ProgressStream): Promise<object> {
  const options = await readReplayOptions(values);
  const [compose, compute, engineRoom, platform, scout] = await Promise.all([
    import('../../compose/index.ts'),
    import('../../compute/index.ts'),
    import('../../engine/index.ts'),
    import('../../platform/index.ts'),
    import('../../scout/index.ts'),
  ]);
  const { symbol, cutoffs: count, horizons, changes, rows, before } = options;
  const source = { type: 'market', symbol, provider: 'bundled', timeframe: '1D' } as const;
  const read = await compose.openBundledMarket().read(source, {});
  const history = scout.toReplayHistory(read);
  const plan = { rows: history.values.length, before, after: Math.max(...horizons), cutoffs: count };
  const cutoffs = scout.planCutoffs(plan);
  // Opened before the replay, so that the command ends early if the file cannot be written.
  await using file = options.csv === undefined ? undefined : await openFile(options.csv);
  const current = await compose.openCheckpoints(config, platform.createLog('warn')).current();
  const { fitted: models } = engineRoom.chooseMembers([...current.keys()], {
    frequency: history.cadence.frequency,
    values: history.values,
  });
  const checkpoints = Object.fromEntries(models.map((model) => [model, current.get(model)?.id ?? '']));
  using progress = startProgress(stderr);
  const startedAt = performance.now();
  const engine = await compute.startEngine({ checkpoints: compute.checkpointFolders(config.dataFolder) });
  try {
    const settings = { horizons, changes, rows, models, checkpoints };
    const replayed = await scout.runReplay(engine, history, cutoffs, settings, {
      signal: progress.signal,
      onProgress: ({ done, total, forecast }) => {
        const forecastName = `${forecast.horizon} sessions after ${forecast.cutoff.slice(0, 10)}`;
        const time = formatTimeLeft(performance.now() - startedAt, done, total);
        progress.show(`${formatBar(done, total)}, ${forecastName}, ${time}`, done === total);
      },
    });
    await file?.writeFile(scout.formatReplayCsv(replayed));
    return {
      source: read.about.source,
      settings: { ...settings, before },
      fingerprint: compute.readFingerprint(models),
      ...scout.buildReplayReport(replayed),
    };
  } catch (error) {
    if (!progress.signal.aborted) throw error;
    throw replayStopped();
  } finally {
    await engine.close();
  }
}

async function openFile(path: string) {
  try {
    return await open(path, 'w');
  } catch (error) {
    throw csvUnwritable(path, (error as Error).message);
  }
}

export interface ReplayOptions {
  readonly symbol: string;
  readonly cutoffs: number;
  readonly horizons: readonly number[];
  readonly changes: readonly number[];
  readonly rows: number;
  readonly before: number;
  /** The path of the file to which all questions are written. */
  readonly csv: string | undefined;
}

const MAX_CUTOFFS = 500;
const MAX_LISTED = 20;
const MIN_ROWS = 30;

/** Reads the options of the replay. Throws a `UsageError` that names the option. */
export async function readReplayOptions(values: CommandValues): Promise<ReplayOptions> {
  const { MAX_ROWS, MAX_HORIZON } = await import('../../engine/index.ts');
  const textOf = (name: keyof typeof DEFAULTS): string => String(values[name] ?? DEFAULTS[name]);
  const isWholeWithin = (min: number, max: number) => (value: number) =>
    Number.isInteger(value) && value >= min && value <= max;
  const readNumber = (name: 'cutoffs' | 'rows' | 'before', min: number, max: number): number => {
    const value = parseDecimal(textOf(name));
    if (isWholeWithin(min, max)(value)) return value;
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not ${textOf(name)}.`);
  };
  const readList = (name: 'horizons' | 'changes', isAllowed: (value: number) => boolean, rule: string): number[] => {
    const list = [...new Set(textOf(name).split(',').map(parseDecimal))].sort((a, b) => a - b);
    if (list.length <= MAX_LISTED && list.every(isAllowed)) return list;
    throw new UsageError(`--${name} must be at most ${MAX_LISTED} ${rule}, separated by commas, not ${textOf(name)}.`);
  };
  return {
    symbol: textOf('symbol'),
    cutoffs: readNumber('cutoffs', 1, MAX_CUTOFFS),
    horizons: readList('horizons', isWholeWithin(1, MAX_HORIZON), `whole numbers from 1 to ${MAX_HORIZON}`),
    changes: readList('changes', (value) => value > -100 && value <= 1000, 'percentages above -100 and up to 1000'),
    rows: readNumber('rows', MIN_ROWS, MAX_ROWS),
    before: readNumber('before', MIN_ROWS, MAX_ROWS),
    csv: values.csv as string | undefined,
  };
}

/** Returns the number of a plain decimal, or NaN for anything else, including an empty text. */
function parseDecimal(text: string): number {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
}
