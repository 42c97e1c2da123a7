import type { MailContent, MailedFilter } from '../read-content.ts';
import { CHART } from './chart.ts';
import { columnsOf } from './labels.ts';
import { countWords, moreWords, sayDay, type Words } from './words.ts';

const CELL = 'padding:4px 12px 4px 0;text-align:right;white-space:nowrap';
const FIRST_CELL = 'padding:4px 12px 4px 0;text-align:left;white-space:nowrap';

export interface HtmlMail extends MailContent, Words {
  /** The names of the charts' images, by symbol. */
  readonly charts: ReadonlyMap<string, string>;
}

/** The mail as mail programs show it: tables and styles beside the words, since they know little else. */
export function mailHtml({ filters, session, charts, closes, unsubscribe, siteUrl }: HtmlMail): string {
  const tables = filters.map((filter) => filterHtml(filter, charts, closes));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(sayDay(session))}</title></head>
<body style="font:15px/1.45 system-ui,sans-serif;color:#1b1f24;margin:0;padding:16px">
<p>Matches of your filters at the close of ${escaped(sayDay(session))}.</p>
${tables.join('\n')}
<p style="color:#57606a;font-size:13px">You get this mail because filters of yours at <a href="${escaped(siteUrl)}">${escaped(siteUrl)}</a> ask for it: at most one for each day on which the exchange is open.<br><a href="${escaped(unsubscribe)}">End these mails</a></p>
</body>
</html>
`;
}

function filterHtml(filter: MailedFilter, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const columns = columnsOf(filter.matches);
  const heads = columns.map(({ label }) => `<th style="${CELL}" scope="col">${escaped(label)}</th>`).join('');
  const rows = filter.matches.map(({ symbol, isNew, values }) => {
    const cells = columns.map(({ text }) => `<td style="${CELL}">${escaped(text(values))}</td>`).join('');
    const mark = isNew ? ' <strong style="color:#1a7f37">new</strong>' : '';
    return `<tr><th style="${FIRST_CELL}" scope="row">${escaped(symbol)}${mark}</th>${cells}<td>${chartHtml(symbol, charts, closes)}</td></tr>`;
  });
  const more = moreWords(filter);
  return `<h2 style="font-size:17px;margin:20px 0 4px">${escaped(filter.name)}</h2>
<p style="margin:0 0 8px;color:#57606a">${escaped(countWords(filter))}</p>
<table style="border-collapse:collapse"><thead><tr><th style="${FIRST_CELL}" scope="col">Symbol</th>${heads}<th scope="col"></th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>${more && `\n<p style="margin:8px 0;color:#57606a">${escaped(more)}</p>`}`;
}

function chartHtml(symbol: string, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const cid = charts.get(symbol);
  const values = closes.get(symbol) ?? [];
  if (cid === undefined) return '';
  const alt = `${symbol}: the last ${values.length} closes, from ${values[0]} to ${values.at(-1)}`;
  return `<img src="cid:${escaped(cid)}" width="${CHART.width}" height="${CHART.height}" alt="${escaped(alt)}">`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
