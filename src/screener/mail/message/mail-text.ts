import type { MailContent, MailedFilter } from '../read-content.ts';
import { formatCounts, formatDay, formatRemainder, type MailLinks, selectColumns } from './mail-format.ts';

/** Renders the email as plain text. */
export function renderMailText({ filters, session, closes, unsubscribe, siteUrl }: MailContent & MailLinks): string {
  return `${[
    `Your filters have matches at the close of ${formatDay(session)}. An asterisk marks new matches.`,
    ...filters.map((filter) => renderFilter(filter, closes)),
    `You receive this email because email is turned on for filters in your account at ${siteUrl}. We send at most one per trading day. To unsubscribe, open`,
    unsubscribe,
  ].join('\n\n')}\n`;
}

function renderFilter(filter: MailedFilter, closes: MailContent['closes']): string {
  const columns = selectColumns(filter.matches);
  const table = [
    ['  Symbol', ...columns.map(({ label }) => label), ''],
    ...filter.matches.map(({ symbol, isNew, values }) => [
      `${isNew ? '*' : ' '} ${symbol}`,
      ...columns.map(({ text }) => text(values)),
      renderSparkline(closes.get(symbol) ?? []),
    ]),
  ];
  const remainder = formatRemainder(filter);
  return [
    `${filter.name}: ${formatCounts(filter)}`,
    '',
    ...alignColumns(table),
    ...(remainder ? [remainder] : []),
  ].join('\n');
}

/** Aligns the first column to the left and the others to the right. The last column is not aligned. */
function alignColumns(table: readonly (readonly string[])[]): string[] {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        if (column === 0) return cell.padEnd(width);
        return column === row.length - 1 ? cell : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * Renders values as a line of small bars, scaled from the lowest value to the highest. Returns an empty string for
 * fewer than two values.
 *
 * @example renderSparkline([1, 2, 3]) // ▁▅█
 */
export function renderSparkline(values: readonly number[]): string {
  if (values.length < 2) return '';
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => BARS[span === 0 ? 3 : Math.round(((value - low) / span) * (BARS.length - 1))]).join('');
}
