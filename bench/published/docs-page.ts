import { isEnsemble } from './entries.ts';
import type { RelativeTable } from './relative.ts';
import type { Board, EntryScores } from './scoreboard.ts';
import { formatNumber, formatRank, formatScore, formatShare } from './text-tables.ts';

/** How many runs on actual values the page may list. Each further look at them would make the scores less honest. */
export const MAX_RUNS = 10;

const BEST = 5;
const TABLE = 'scoreboard';
const RUNS = 'runs on actual values';

/** When a run was made, and on which version. */
export interface RunInfo {
  /** Such as 2026-08-01. */
  readonly date: string;
  readonly commit: string;
}

/** Throws if the page has no place for another run. Called before a run, so that none is made in vain. */
export function requirePlace(page: string): void {
  sectionOf(page, TABLE);
  const count = runLines(page).length;
  if (count >= MAX_RUNS) throw new Error(`The page lists ${count} runs, which is all that are allowed.`);
}

/** Returns the page with the tables of a run, and with the run at the end of its list. */
export function writeRun(
  page: string,
  run: RunInfo,
  boards: readonly Board[],
  tables: readonly RelativeTable[],
): string {
  requirePlace(page);
  const scores = [boardTable(boards), ...tables.map(relativeTable)].join('\n\n');
  const runs = [...runLines(page), runLine(run, boards, tables)].join('\n');
  const list = `| date | commit | sets | MASE / WQL relative to seasonal naive, 80% |\n| --- | --- | --- | --- |\n${runs}`;
  return replaceSection(replaceSection(page, TABLE, scores), RUNS, list);
}

function boardTable(boards: readonly Board[]): string {
  const lines = boards.flatMap(({ key, ours, published }) =>
    headliners(ours).map((one) =>
      row([
        `\`${key}\``,
        `\`${one.entry}\``,
        formatScore(one.mase),
        formatRank(one.mase_rank, published.length),
        formatScore(one.wql),
        formatRank(one.wql_rank, published.length),
        `${formatShare(one)}%`,
        one.cpu_ms.toFixed(0),
        bestOf(published, 'mase'),
        bestOf(published, 'wql'),
      ]),
    ),
  );
  const head = ['set', 'ours', 'MASE', 'rank', 'WQL', 'rank', '80%', 'CPU ms', 'best MASE', 'best WQL'];
  return [row(head), row(head.map(() => '---')), ...lines].join('\n');
}

function relativeTable({ title, sets, models }: RelativeTable): string {
  const theirs = models.filter(({ ours }) => !ours);
  const shown = [...models.filter(({ ours }) => ours), ...theirs.slice(0, BEST)];
  const lines = shown.map(({ model, ours, mase, wql }) =>
    row([ours ? `\`${model}\`` : model, formatNumber(mase, 3), formatNumber(wql, 3)]),
  );
  const head = row([`${title}, ${sets.length} ${sets.length === 1 ? 'set' : 'sets'}`, 'MASE', 'WQL']);
  return [head, row(['---', '---', '---']), ...lines].join('\n');
}

/** A line of the list has the means over everything that was run, which is the last table. */
function runLine({ date, commit }: RunInfo, boards: readonly Board[], tables: readonly RelativeTable[]): string {
  const figures = headliners((boards[0] as Board).ours).map(({ entry }) => {
    const relative = tables.at(-1)?.models.find(({ model, ours }) => ours && model === entry);
    const shares = boards.map(({ ours }) => ours.find((one) => one.entry === entry)?.coverage_80 ?? Number.NaN);
    const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
    const means = [relative?.mase, relative?.wql].map((value) => formatNumber(value ?? Number.NaN, 3));
    return `\`${entry}\` ${means.join(' / ')}, ${formatShare({ coverage_80: share })}%`;
  });
  return row([date, commit, String(boards.length), figures.join('; ')]);
}

/** The entries that the page shows for each set: the ensembles, or all if none was run. */
function headliners(ours: readonly EntryScores[]): readonly EntryScores[] {
  const ensembles = ours.filter(({ entry }) => isEnsemble(entry));
  return ensembles.length > 0 ? ensembles : ours;
}

function bestOf(published: Board['published'], measure: 'mase' | 'wql'): string {
  const best = [...published].sort((a, b) => a[measure] - b[measure])[0];
  return best === undefined ? '' : `${formatScore(best[measure])} (${best.model})`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function runLines(page: string): string[] {
  return sectionOf(page, RUNS)
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
}

function replaceSection(page: string, name: string, text: string): string {
  const { start, end } = boundsOf(page, name);
  return `${page.slice(0, start)}\n\n${text}\n\n${page.slice(end)}`;
}

function sectionOf(page: string, name: string): string {
  const { start, end } = boundsOf(page, name);
  return page.slice(start, end);
}

/** A generated part of the page is between two comments, which readers do not see. */
function boundsOf(page: string, name: string): { start: number; end: number } {
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start === -1 || end < start) throw new Error(`The page lacks the lines '${open}' and '${close}'.`);
  return { start: start + open.length, end };
}
