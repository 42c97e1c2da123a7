import type { Comparison } from './compare.ts';
import type { Cost } from './measured-server.ts';
import type { Starts } from './starts.ts';

export function printComparison(comparisons: readonly Comparison[]): void {
  const rows = comparisons.flatMap(({ database, statements, almanac, raw, ratio }) => [
    [`${database}, Almanac`, ...cells(almanac), statements.toFixed(2), `${ratio.toFixed(2)}x`],
    [`${database}, raw node:http`, ...cells(raw), statements.toFixed(2), '1x'],
  ]);
  print(['', 'CPU us/request', 'requests/s', 'p50 ms', 'p99 ms', 'RSS MiB', 'statements', 'CPU ratio'], rows);
}

export function printStarts({ runs }: Starts): void {
  const rows = runs.map(({ announcedMs, readyMs, rssMiB }, index) =>
    [index + 1, announcedMs, readyMs, rssMiB].map((value) => String(Math.round(value))),
  );
  print(['warm start (PGlite)', 'key printed ms', '/health/ready ms', 'RSS MiB'], rows);
}

function cells({ cpuMicros, perSecond, p50, p99, rssMiB }: Cost): string[] {
  return [cpuMicros.toFixed(0), perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), rssMiB.toFixed(0)];
}

/** Prints a Markdown table whose columns are aligned for the terminal. */
function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  console.log([line(head), line(rule), ...rows.map(line)].join('\n').concat('\n'));
}
