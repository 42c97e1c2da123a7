import type { Frequency } from '../../src/calendar/index.ts';
import { detectSeason } from '../../src/engine/index.ts';
import { generateSeries, type Kind, WITH_SEASON, WITHOUT_SEASON } from '../../test/support/engine/generated-series.ts';
import { formatTable } from '../format-table.ts';
import { formatRate, type Rate, rateOf } from './rate.ts';

/** Each season, with the candidates that are tested for it. */
const SEASONS: readonly (readonly [number, Frequency | readonly number[]])[] = [
  [4, '1QE'],
  [7, [7]],
  [12, '1MS'],
  [24, '1h'],
  [52, '1W-MON'],
  [168, '1h'],
];
const ROUNDS = [3, 5, 8];
const STRENGTHS: Readonly<Record<string, number>> = { moderate: 1, strong: 2 };

/**
 * Formats a table of how often the season is found, over all kinds of series that have one. Finding another season
 * counts as a miss.
 */
export function formatHitTable(repeats: number): string {
  const head = ROUNDS.flatMap((rounds) => Object.keys(STRENGTHS).map((name) => `${rounds} seasons, ${name}`));
  const rows = SEASONS.map(([season, candidates]) => [
    String(season),
    ...ROUNDS.flatMap((rounds) =>
      Object.values(STRENGTHS).map((strength) =>
        formatRate(
          rateOver(WITH_SEASON, repeats, (kind, seed) => {
            const values = generateSeries(kind, season, rounds, seed, strength);
            return detectSeason(values, candidates) === season;
          }),
        ),
      ),
    ),
  ]);
  return formatTable([['season', ...head], ...rows]);
}

/** Formats a table of how often a season is found in series without one, over all lengths. */
export function formatFalseAlarmTable(repeats: number): string {
  const rows = SEASONS.map(([season, candidates]) => [
    String(season),
    ...[...WITHOUT_SEASON.map((kind) => [kind]), WITHOUT_SEASON].map((kinds) => {
      const rates = ROUNDS.map((rounds) =>
        rateOver(
          kinds,
          repeats,
          (kind, seed) => detectSeason(generateSeries(kind, season, rounds, seed), candidates) > 1,
        ),
      );
      return formatRate(rates.reduce((a, b) => ({ count: a.count + b.count, of: a.of + b.of })));
    }),
  ]);
  return formatTable([['season', ...WITHOUT_SEASON, 'all'], ...rows]);
}

function rateOver(kinds: readonly Kind[], repeats: number, holds: (kind: Kind, seed: number) => boolean): Rate {
  return rateOf(kinds.flatMap((kind) => Array.from({ length: repeats }, (_, i) => holds(kind, i + 1))));
}
