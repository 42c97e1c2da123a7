import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BenchSeries, parseSeriesFile } from '../accuracy/series-file.ts';
import { keysOf } from './keys.ts';
import { type PublishedScore, readPublished } from './published-scores.ts';

/** A series of a set, or one window of it. */
export interface WindowSeries extends BenchSeries {
  /** The number of the window, from an id such as `us_births@3`; 1 if the id has none. */
  readonly window: number;
  /** A date in the first period, if it is known. */
  readonly first: string | undefined;
}

/** Lines of a file that are scored together. */
export interface SeriesSet {
  /** The name of the file without its extension. */
  readonly name: string;
  /** The published data sets that the lines are; none if no published file names them. */
  readonly keys: readonly string[];
  readonly series: readonly WindowSeries[];
  readonly published: readonly PublishedScore[];
}

/** A date in the first period of sets whose dates are known. The weeks of `us_births` begin on Wednesdays. */
const FIRST_DATES: Readonly<Record<string, string>> = {
  nn5: '1996-03-18',
  us_births_D: '1969-01-01',
  us_births_W: '1969-01-01',
  us_births_M: '1969-01-01',
  hospital: '2000-01-01',
  'australian_tourism-fev2w': '1998-01-01',
};

/**
 * Reads a file of series and divides it into sets. If some of its lines belong to a published data set, those that
 * belong to none are left out, because there is nothing to compare them with.
 */
export function readSets(file: string): { sets: SeriesSet[]; leftOut: number } {
  const name = path.basename(file).replace(/\.[^.]*$/, '');
  const published = readPublished(file);
  const sets = new Map<string, { keys: string[]; series: WindowSeries[] }>();
  for (const one of parseSeriesFile(readFileSync(file, 'utf8'), { missingActuals: true })) {
    const keys = keysOf(name, one.group, published);
    const set = sets.get(keys.join()) ?? { keys, series: [] };
    set.series.push({ ...one, window: Number(/@(\d+)$/.exec(one.id)?.[1] ?? 1), first: FIRST_DATES[name] });
    sets.set(keys.join(), set);
  }
  if (sets.size === 0) throw new Error('The file has no series. Write one per line.');
  const unknown = sets.size > 1 ? sets.get('') : undefined;
  const kept = [...sets.values()].filter((set) => set !== unknown);
  return {
    sets: kept.map(({ keys, series }) => ({
      name,
      keys,
      series,
      published: published.filter(({ key }) => keys.includes(key)),
    })),
    leftOut: unknown?.series.length ?? 0,
  };
}

/**
 * Like `readSets`, with the last values of each history in the place of the actual values. Of a set with several windows,
 * only the first is kept, because the histories of the others have its actual values. No published score is comparable.
 */
export function readPasts(file: string): ReturnType<typeof readSets> {
  const { sets, leftOut } = readSets(file);
  const pasts = sets.map((set) => ({
    ...set,
    published: [],
    series: set.series
      .filter(({ window, history, horizon }) => window === 1 && history.length > horizon)
      .map((one) => ({
        ...one,
        history: one.history.subarray(0, -one.horizon),
        actuals: one.history.subarray(-one.horizon),
      })),
  }));
  return { sets: pasts.filter(({ series }) => series.length > 0), leftOut };
}
