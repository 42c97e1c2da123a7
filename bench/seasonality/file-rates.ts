import { detectSeason } from '../../src/engine/index.ts';
import type { BenchSeries } from '../accuracy/series-file.ts';
import { formatTable } from '../format-table.ts';
import { formatRate, rateOf } from './rate.ts';

/** Seasons that yearly series and series of unknown spacing cannot have: finding one is a false alarm. */
const IMPOSSIBLE = [4, 12];

/**
 * Returns the share of histories in which the season of their group is found; for a group without a season, the share in
 * which one of 4 or 12 is found. It is unknown which of the seasonal ones really have a season.
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
