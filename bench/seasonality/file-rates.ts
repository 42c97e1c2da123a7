import { detectSeason } from '../../src/engine/index.ts';
import type { BenchSeries } from '../accuracy/series-file.ts';
import { formatRate, formatTable, rateOf } from './rate.ts';

/** What no series of years, or of unknown spacing, can have: a season found among these is a false alarm. */
const IMPOSSIBLE = [4, 12];

/**
 * Share of the histories in which the season of their group is found; where the group has none, in which one of 4 or of
 * 12 is. Which of the seasonal ones really have a season nobody knows.
 */
export function fileTable(series: readonly BenchSeries[]): string {
  const rows: string[][] = [['group', 'looked for', 'found', 'meaning']];
  for (const group of new Set(series.map((one) => one.group))) {
    const mine = series.filter((one) => one.group === group);
    const own = (mine[0] as BenchSeries).season;
    for (const season of own > 1 ? [own] : IMPOSSIBLE) {
      const rate = rateOf(mine.map(({ history }) => detectSeason(history, [season]) === season));
      rows.push([group, String(season), formatRate(rate), own > 1 ? 'share with a season' : 'false alarms']);
    }
  }
  return formatTable(rows);
}
