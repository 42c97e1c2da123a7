import { runInTwoThreads } from '../accuracy/two-threads.ts';
import type { SeriesSet } from './read-sets.ts';
import { type Board, type EntryForecasts, scoreSet } from './scoreboard.ts';
import type { Outcome } from './worker.ts';

export interface Failure {
  readonly id: string;
  readonly entry: string;
  readonly failure: string;
}

/** Forecasts every window of every set with every entry, on two threads, and scores the forecasts. */
export async function evaluateSets(
  sets: readonly SeriesSet[],
  entries: readonly string[],
  data: string,
): Promise<{ boards: Board[]; failures: Failure[] }> {
  const boards: Board[] = [];
  const failures: Failure[] = [];
  const items = sets.flatMap(({ series }) => series).map((series, index) => ({ index, series }));
  const worker = new URL('./worker.ts', import.meta.url);
  const outcomes = await runInTwoThreads<Outcome>(worker, items, { entries, data });
  for (const { index, entry, failure } of outcomes) {
    if (failure !== null) failures.push({ id: items[index]?.series.id ?? '', entry, failure });
  }
  const byEntry = Map.groupBy(outcomes, ({ entry }) => entry);
  let start = 0;
  for (const set of sets) {
    const end = start + set.series.length;
    const forecasts = entries.map((entry): EntryForecasts => {
      const mine = (byEntry.get(entry) ?? [])
        .filter(({ index }) => index >= start && index < end)
        .sort((a, b) => a.index - b.index);
      const cpuMs = mine.reduce((sum, one) => sum + one.cpuMs, 0) / mine.length;
      return { entry, rows: mine.map(({ rows }) => rows), cpuMs };
    });
    boards.push(...scoreSet(set, forecasts));
    start = end;
  }
  return { boards, failures };
}
