import { formatTable } from '../format-table.ts';
import { DEFINITION_NAMES } from './keys.ts';
import type { RelativeTable } from './relative.ts';
import type { Board, Check, EntryScores } from './scoreboard.ts';

const BEST = 5;

/** Formats a table for each data set and the geometric means. */
export function formatTables(boards: readonly Board[], tables: readonly RelativeTable[]): string {
  return [...boards.map(formatBoard), ...tables.map(formatRelative)].join('\n\n');
}

function formatBoard(board: Board): string {
  const { key, definition, windows, horizon, lag, published } = board;
  const best = [...published].sort((a, b) => a.mase - b.mase).slice(0, BEST);
  const rows = [
    [key, 'MASE', 'rank', 'WQL', 'rank', '80 %', 'sMAPE', 'CPU ms'],
    ...board.ours.map((one) => [
      one.failures > 0 ? `${one.entry} (${one.failures} failed)` : one.entry,
      formatScore(one.mase),
      formatRank(one.mase_rank, published.length),
      formatScore(one.wql),
      formatRank(one.wql_rank, published.length),
      formatShare(one),
      formatNumber(one.smape, 2),
      one.cpu_ms.toFixed(1),
    ]),
    ...(best.length > 0 ? [[`best of ${published.length} published`]] : []),
    ...best.map(({ model, mase, wql }) => [`  ${model}`, formatScore(mase), '', formatScore(wql)]),
  ];
  const source = published.length > 0 ? `, scored as in ${DEFINITION_NAMES[definition]}` : '';
  return [
    `${key}: ${windows} windows of ${horizon} steps, MASE by the change over ${lag}${source}`,
    formatCheck(board.seasonal_naive),
    formatTable(rows),
  ].join('\n');
}

function formatCheck({ mase, wql, published, mase_deviation, wql_deviation }: Check): string {
  const here = `seasonal naive: ${formatScore(mase)} / ${formatScore(wql)}`;
  if (published === null) return here;
  const deviations = [mase_deviation, wql_deviation].map((value) => `${formatNumber(value ?? Number.NaN, 3)} %`);
  return `${here}, published ${formatScore(published.mase)} / ${formatScore(published.wql)}, deviation ${deviations.join(' / ')}`;
}

function formatRelative({ title, sets, models }: RelativeTable): string {
  const rows = [
    ['', 'MASE', 'WQL'],
    ...models.map(({ model, ours, mase, wql }) => [
      `${ours ? '*' : ' '} ${model}`,
      formatNumber(mase, 3),
      formatNumber(wql, 3),
    ]),
  ];
  const count = sets.length === 1 ? '1 set' : `${sets.length} sets`;
  return `geometric mean relative to seasonal naive, ${title}, ${count} (* ours)\n${formatTable(rows)}`;
}

/** Four digits after the point, because the WQL of some sets begins in the second one. */
export function formatScore(score: number): string {
  return formatNumber(score, 4);
}

/** @param published the number of published models; together with ours there is one more */
export function formatRank(rank: number | null, published: number): string {
  return rank === null ? '' : `${rank} of ${published + 1}`;
}

export function formatShare({ coverage_80 }: Pick<EntryScores, 'coverage_80'>): string {
  return formatNumber(100 * coverage_80, 1);
}

export function formatNumber(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : 'none';
}
