import { stat } from 'node:fs/promises';
import type { PublicReference } from '../../contract/index.ts';
import { UsageError } from '../command.ts';
import { fileNotFound, inputUnreadable, isDirectory } from '../failures.ts';

/** Stands for standard input. */
export const STANDARD_INPUT = '-';

/** What the argument of a command names: rows in a file or on standard input, or a series of a source. */
export type Target =
  | { readonly kind: 'rows' /** Null: standard input. */; readonly path: string | null; readonly name: string }
  | { readonly kind: 'series'; readonly source: PublicReference; readonly name: string };

/** The choices within a series. */
export interface SeriesChoices {
  readonly valueField: string | undefined;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly timeframe: string | undefined;
}

const LOOKS_LIKE_PATH = /^[./~]|[\\/].*\.\w{1,5}$|\.(?:csv|tsv|tab|txt|dat|xlsx?|ods|json|parquet|gz|zip)$/i;
const ECONOMIC = /^([a-z][a-z0-9]{1,30}):(.+)$/;
const MAX_SYMBOL = 32;

/**
 * Finds out what an argument names. A file that exists comes first, so that no series can hide it. Otherwise it is
 * `PROVIDER:SERIES`, a source of the API as JSON, or the symbol of an instrument.
 */
export async function readTarget(word: string, choices: SeriesChoices): Promise<Target> {
  if (word === STANDARD_INPUT) return { kind: 'rows', path: null, name: 'standard input' };
  if (await isFile(word)) return { kind: 'rows', path: word, name: word };
  if (LOOKS_LIKE_PATH.test(word)) throw fileNotFound(word);
  return { kind: 'series', source: readSeriesName(word, choices), name: word };
}

/** Returns the source that a name of a series stands for, with the choices of the options. */
export function readSeriesName(word: string, { valueField, dimensions, timeframe }: SeriesChoices): PublicReference {
  const chosen = valueField === undefined ? {} : { value_field: valueField };
  if (word.startsWith('{')) return { ...readJson(word), ...chosen };
  const economic = ECONOMIC.exec(word);
  const hasDimensions = Object.keys(dimensions).length > 0;
  if (economic !== null) {
    if (timeframe !== undefined) throw new UsageError('--timeframe is for market data, not for economic series.');
    const [, provider = '', series_id = ''] = economic;
    return { type: 'economic_series', provider, series_id, ...chosen, ...(hasDimensions && { dimensions }) };
  }
  if (hasDimensions) throw new UsageError('--dimension is for economic series, such as bundled:us-cpi.');
  if (word.trim() === '' || word.length > MAX_SYMBOL) {
    throw new UsageError(`${JSON.stringify(word.slice(0, 60))} is neither a file nor the name of a series.`);
  }
  return { type: 'market', symbol: word, timeframe: timeframe ?? '1D', ...chosen } as PublicReference;
}

/** Returns the name by which a command finds a series again. @example 'bundled:mauna-loa-co2' */
export function nameSource(source: PublicReference): string {
  if (source.type === 'market') return source.symbol;
  if (source.type === 'economic_series') return `${source.provider}:${source.series_id}`;
  return JSON.stringify(source);
}

/** Reads `NAME=VALUE` pairs of a repeatable option. */
export function readPairs(option: string, given: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new UsageError(
        `--${option} must be a name, "=" and a value, such as country=DE, not ${JSON.stringify(pair)}.`,
      );
    }),
  );
}

function readJson(word: string): PublicReference {
  try {
    return JSON.parse(word) as PublicReference;
  } catch {
    throw new UsageError('A series in braces must be a source of the API as JSON. See docs/data.md.');
  }
}

async function isFile(path: string): Promise<boolean> {
  // A path with a NUL byte is not a file, and Node refuses it with an error of its own.
  if (path.includes('\0') || path === '') return false;
  try {
    if ((await stat(path)).isDirectory()) throw isDirectory(path);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return false;
    if (code === '') throw error;
    throw inputUnreadable(path, code);
  }
}
