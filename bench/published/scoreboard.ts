import { type Definition, definitionOf } from './keys.ts';
import { isSeasonalNaive, type PublishedScore, rankOf } from './published-scores.ts';
import type { SeriesSet, WindowSeries } from './read-sets.ts';
import { type Forecasted, type Scores, scoreByWindow, scoreTogether } from './scores.ts';
import { publishedSeasonalNaive } from './seasonal-naive.ts';

/** The forecasts of one entry for a set, in the order of the set's series; null where it has none. */
export interface EntryForecasts {
  readonly entry: string;
  readonly rows: readonly (readonly Float64Array[] | null)[];
  /** The mean per window. */
  readonly cpuMs: number;
}

export interface EntryScores extends Scores {
  readonly entry: string;
  readonly cpu_ms: number;
  /** The number of windows without a forecast. An entry with failures has no rank, because it was scored on less. */
  readonly failures: number;
  readonly mase_rank: number | null;
  readonly wql_rank: number | null;
}

/** Seasonal naive as we compute it beside its published figures, which shows whether the definitions are the same. */
export interface Check {
  readonly mase: number;
  readonly wql: number;
  readonly published: { readonly mase: number; readonly wql: number } | null;
  /** The relative difference in percent. */
  readonly mase_deviation: number | null;
  readonly wql_deviation: number | null;
}

/** Our scores on a data set beside those of every published model. */
export interface Board {
  /** The published data set, or the name of the file if none is known. */
  readonly key: string;
  readonly definition: Definition;
  readonly windows: number;
  readonly lag: number;
  readonly horizon: number;
  readonly seasonal_naive: Check;
  readonly ours: readonly EntryScores[];
  readonly published: readonly PublishedScore[];
}

/** Scores the forecasts of a set in the definition of each published data set that it is. */
export function scoreSet(set: SeriesSet, forecasts: readonly EntryForecasts[]): Board[] {
  const keys = set.keys.length > 0 ? set.keys : [set.name];
  return keys.map((key) => {
    const definition = definitionOf(key);
    const published = set.published.filter((one) => one.key === key);
    const score = definition === 'fev' ? scoreByWindow : scoreTogether;
    const first = set.series[0] as WindowSeries;
    return {
      key,
      definition,
      windows: set.series.length,
      lag: first.season,
      horizon: first.horizon,
      seasonal_naive: checkSeasonalNaive(
        score(set.series.map((series) => ({ series, rows: publishedSeasonalNaive(series, definition) }))),
        published.find(isSeasonalNaive),
      ),
      ours: forecasts.map((one) => scoreEntry(one, set, score, published)),
      published,
    };
  });
}

function scoreEntry(
  { entry, rows, cpuMs }: EntryForecasts,
  set: SeriesSet,
  score: (forecasts: readonly Forecasted[]) => Scores,
  published: readonly PublishedScore[],
): EntryScores {
  const present = set.series.flatMap((series, i): Forecasted[] => {
    const mine = rows[i] ?? null;
    return mine === null ? [] : [{ series, rows: mine }];
  });
  const scores = score(present);
  const failures = set.series.length - present.length;
  const rank = (measure: 'mase' | 'wql') =>
    published.length === 0 || failures > 0 || Number.isNaN(scores[measure])
      ? null
      : rankOf(
          scores[measure],
          published.map((one) => one[measure]),
        );
  return { entry, ...scores, cpu_ms: cpuMs, failures, mase_rank: rank('mase'), wql_rank: rank('wql') };
}

function checkSeasonalNaive({ mase, wql }: Scores, published: PublishedScore | undefined): Check {
  if (published === undefined) return { mase, wql, published: null, mase_deviation: null, wql_deviation: null };
  return {
    mase,
    wql,
    published: { mase: published.mase, wql: published.wql },
    mase_deviation: 100 * (mase / published.mase - 1),
    wql_deviation: 100 * (wql / published.wql - 1),
  };
}
