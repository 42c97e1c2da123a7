import { type Frequency, isFrequency } from '../../calendar/index.ts';
import { readTimestamp } from '../../contract/index.ts';
import { type CommandOptions, type CommandValues, UsageError } from '../command.ts';
import { readChoice } from '../read-choice.ts';

const MAX_HORIZON = 365;
const MAX_CUTOFF_DAYS = 36_500;
const MODES = ['full', 'fast'] as const;

/** The options of a forecast that the API has as well. */
export const REQUEST_OPTIONS = {
  horizon: {
    type: 'string',
    value: 'NUMBER',
    format: 'number',
    help: 'the number of periods to forecast',
    default: 'by frequency',
  },
  frequency: { type: 'string', value: 'NAME', help: 'the frequency of the rows, such as 1D or 1MS', default: 'found' },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: MODES,
    help: 'whether folds test the models on the past; fast combines a few models without them',
    default: 'full',
  },
  models: {
    type: 'string',
    value: 'LIST',
    format: 'names',
    help: 'the models, separated by commas',
    default: 'by frequency',
  },
  quantiles: {
    type: 'string',
    value: 'LIST',
    format: 'numbers',
    help: 'the quantiles, separated by commas',
    default: '0.1,0.25,0.5,0.75,0.9',
  },
  cutoff: {
    type: 'string',
    value: 'TIME',
    format: 'time or days',
    help: 'forecast as of this time, or so many days before the last row',
    default: 'the last row',
  },
  rows: { type: 'string', value: 'NUMBER', format: 'number', help: 'the number of latest rows to use', default: 'all' },
  seed: {
    type: 'string',
    value: 'NUMBER',
    format: 'number',
    help: 'the seed of models that use random numbers',
    default: '1',
  },
} as const satisfies CommandOptions;

/** The fields of a request that options set. Without `horizon`, the usual one of the frequency is taken. */
export interface GivenRequest {
  readonly horizon: number | undefined;
  readonly frequency: Frequency | undefined;
  readonly fields: {
    readonly mode?: (typeof MODES)[number];
    readonly models?: string[];
    readonly quantiles?: number[];
    readonly cutoff?: string | number;
    readonly limit?: number;
    readonly seed?: number;
  };
}

/** Reads the options of a forecast. Throws a `UsageError` that names the option. */
export function readRequestOptions(values: CommandValues): GivenRequest {
  const number = (option: string, min: number, max: number) => readWholeNumber(option, values[option], min, max);
  const [limit, seed] = [number('rows', 3, 50_000), number('seed', 0, Number.MAX_SAFE_INTEGER)];
  const mode = readChoice('mode', values, MODES);
  if (mode === 'fast' && values.models !== undefined) {
    throw new UsageError('--mode fast determines the models itself. Leave out --models, or choose --mode full.');
  }
  const [models, quantiles] = [readList(values.models), readList(values.quantiles)];
  return {
    horizon: number('horizon', 1, MAX_HORIZON),
    frequency: readFrequency(values.frequency),
    fields: {
      ...(mode !== null && { mode }),
      ...(models && { models }),
      ...(quantiles && { quantiles: quantiles.map(readQuantile) }),
      ...(values.cutoff !== undefined && { cutoff: readCutoff(String(values.cutoff)) }),
      ...(limit !== undefined && { limit }),
      ...(seed !== undefined && { seed }),
    },
  };
}

export function readWholeNumber(
  option: string,
  given: CommandValues[string],
  min: number,
  max: number,
): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d{1,16}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${option} must be a whole number from ${min} to ${max}, not ${JSON.stringify(given)}.`);
}

function readFrequency(given: CommandValues[string]): Frequency | undefined {
  if (given === undefined) return undefined;
  if (isFrequency(String(given))) return String(given) as Frequency;
  throw new UsageError(
    `--frequency must be a name such as 1h, 1D, 1W-MON, 1MS, 1QE or 1YE, not ${JSON.stringify(given)}.`,
  );
}

function readList(given: CommandValues[string]): string[] | undefined {
  return given === undefined
    ? undefined
    : String(given)
        .split(',')
        .map((item) => item.trim());
}

function readQuantile(text: string): number {
  const value = /^0?\.\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  throw new UsageError(
    `--quantiles must be numbers between 0.001 and 0.999 such as 0.05,0.5,0.95, not ${JSON.stringify(text)}.`,
  );
}

function readCutoff(text: string): string | number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_CUTOFF_DAYS) return Number(text);
  const time = readTimestamp(text);
  if (typeof time === 'number') return new Date(time).toISOString();
  throw new UsageError(
    `--cutoff must be a date such as 2024-01-31, a time such as 2024-01-31T16:00:00Z, or a number of days before the last row, not ${JSON.stringify(text)}.`,
  );
}
