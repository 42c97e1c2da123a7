import type { MailContent, MailedFilter } from '../read-content.ts';
import { columnsOf } from './labels.ts';
import { sparkline } from './sparkline.ts';
import { countWords, moreWords, sayDay, type Words } from './words.ts';

/** The mail as plain text. */
export function mailText({ filters, session, closes, unsubscribe, siteUrl }: MailContent & Words): string {
  return `${[
    `Matches of your filters at the close of ${sayDay(session)}. A star marks those that are new since the session before.`,
    ...filters.map((filter) => filterText(filter, closes)),
    `You get this mail because filters of yours at ${siteUrl} ask for it: at most one for each day on which the exchange is open. To end these mails, open`,
    unsubscribe,
  ].join('\n\n')}\n`;
}

function filterText(filter: MailedFilter, closes: MailContent['closes']): string {
  const columns = columnsOf(filter.matches);
  const table = [
    ['  Symbol', ...columns.map(({ label }) => label), ''],
    ...filter.matches.map(({ symbol, isNew, values }) => [
      `${isNew ? '*' : ' '} ${symbol}`,
      ...columns.map(({ text }) => text(values)),
      sparkline(closes.get(symbol) ?? []),
    ]),
  ];
  const more = moreWords(filter);
  return [`${filter.name}: ${countWords(filter)}`, '', ...aligned(table), ...(more ? [more] : [])].join('\n');
}

/** The first column to the left, the last as it is, those between to the right. */
function aligned(table: readonly (readonly string[])[]): string[] {
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
