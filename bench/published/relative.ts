import { DEFINITION_NAMES, type Definition } from './keys.ts';
import { plainName } from './published-scores.ts';
import type { Board } from './scoreboard.ts';

/** Geometric means of scores relative to seasonal naive; below 1 is better than seasonal naive. */
export interface RelativeScore {
  readonly model: string;
  readonly ours: boolean;
  readonly mase: number;
  readonly wql: number;
}

export interface RelativeTable {
  readonly title: string;
  readonly sets: readonly string[];
  /** The best MASE first. */
  readonly models: readonly RelativeScore[];
}

/**
 * Returns a table for each source and, if there are several sources, one for everything. A published model is in a table
 * if it has a score on all of its sets.
 */
export function relativeTables(boards: readonly Board[]): RelativeTable[] {
  const sources = (Object.keys(DEFINITION_NAMES) as Definition[]).flatMap((definition) => {
    const mine = boards.filter((board) => board.definition === definition);
    return mine.length === 0 ? [] : [relativeTable(DEFINITION_NAMES[definition], mine)];
  });
  return sources.length > 1 ? [...sources, relativeTable('all sources', boards)] : sources;
}

function relativeTable(title: string, boards: readonly Board[]): RelativeTable {
  const published = (boards[0] as Board).published.map(({ model }) => relativePublished(model, boards));
  const models = [
    ...(boards[0] as Board).ours.map(({ entry }) => relativeEntry(entry, boards)),
    ...published.filter((one) => one !== null),
  ];
  return { title, sets: boards.map(({ key }) => key), models: models.sort((a, b) => order(a.mase) - order(b.mase)) };
}

/** Our scores are divided by our seasonal naive, so that a part of a set, such as half of M3, is compared with itself. */
function relativeEntry(entry: string, boards: readonly Board[]): RelativeScore {
  const ratio = (measure: 'mase' | 'wql') =>
    geometricMean(
      boards.map(({ ours, seasonal_naive }) => {
        const mine = ours.find((one) => one.entry === entry);
        // A mean over the series that could be forecast is not comparable.
        if (mine === undefined || mine.failures > 0) return Number.NaN;
        return mine[measure] / seasonal_naive[measure];
      }),
    );
  return { model: entry, ours: true, mase: ratio('mase'), wql: ratio('wql') };
}

function relativePublished(model: string, boards: readonly Board[]): RelativeScore | null {
  const ratios: { mase: number; wql: number }[] = [];
  for (const { published, seasonal_naive } of boards) {
    const mine = published.find((one) => plainName(one.model) === plainName(model));
    if (mine === undefined || seasonal_naive.published === null) return null;
    ratios.push({
      mase: mine.mase / seasonal_naive.published.mase,
      wql: mine.wql / seasonal_naive.published.wql,
    });
  }
  return {
    model,
    ours: false,
    mase: geometricMean(ratios.map(({ mase }) => mase)),
    wql: geometricMean(ratios.map(({ wql }) => wql)),
  };
}

function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** Sorts models without a score to the end. */
function order(score: number): number {
  return Number.isNaN(score) ? Number.POSITIVE_INFINITY : score;
}
