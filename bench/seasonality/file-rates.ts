import { detectSeason } from '../../src/engine/index.ts';
import type { BenchSeries } from '../accuracy/series-file.ts';
import { formatTable } from '../format-table.ts';
import { formatRate, rateOf } from './rate.ts';

/** Seasons that yearly series and series of unknown spacing cannot have. Finding one is a false alarm. */
const IMPOSSIBLE = [4, 12];

/**
 * Formats a table of the share of histories in which the season of their group is found. For a group without a season,
 * the table has the shares in which a season of 4 and of 12 is found. In groups with a season, it is unknown which
 * series really have one.
 */
export function formatFileTable(series: readonly BenchSeries[]): string {
  const rows: string[][] = [['group', 'season', 'found', 'meaning']];
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
