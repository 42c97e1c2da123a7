import { escapeHtml } from '../../../platform/index.ts';
import type { MailContent, MailedFilter } from '../read-content.ts';
import { CHART } from './chart.ts';
import { columnsOf, written } from './labels.ts';
import { countWords, moreWords, sayDay, type Words } from './words.ts';

/** On the table, whose cells inherit it: said in every cell it would be most of the mail. */
const TABLE = 'cellpadding="5" cellspacing="0" style="border-collapse:collapse;text-align:right;white-space:nowrap"';
/** An attribute, because it is shorter than a style. */
const LEFT = 'align="left"';

export interface HtmlMail extends MailContent, Words {
  /** The names of the charts' images, by symbol. */
  readonly charts: ReadonlyMap<string, string>;
}

/** The mail as mail programs show it: tables and styles beside the words, since they know little else. */
export function mailHtml({ filters, session, charts, closes, unsubscribe, siteUrl }: HtmlMail): string {
  const tables = filters.map((filter) => filterHtml(filter, charts, closes));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(sayDay(session))}</title></head>
<body style="font:15px/1.45 system-ui,sans-serif;color:#1b1f24;margin:0;padding:16px">
<p>Matches of your filters at the close of ${escapeHtml(sayDay(session))}.</p>
${tables.join('\n')}
<p style="color:#57606a;font-size:13px">You get this mail because filters of yours at <a href="${escapeHtml(siteUrl)}">${escapeHtml(siteUrl)}</a> ask for it: at most one for each day on which the exchange is open.<br><a href="${escapeHtml(unsubscribe)}">End these mails</a></p>
</body>
</html>
`;
}

function filterHtml(filter: MailedFilter, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const columns = columnsOf(filter.matches);
  const heads = columns.map(({ label }) => `<th>${escapeHtml(label)}</th>`).join('');
  const rows = filter.matches.map(({ symbol, isNew, values }) => {
    // Without their ends, which HTML lets one leave out (13.1.2.4): thousands of them would be a fifth of the mail.
    const cells = columns.map(({ text }) => `<td>${escapeHtml(text(values))}`).join('');
    const mark = isNew ? ' <b>new</b>' : '';
    return `<tr><th ${LEFT} scope="row">${escapeHtml(symbol)}${mark}</th>${cells}${chartHtml(symbol, charts, closes)}</tr>`;
  });
  const more = moreWords(filter);
  return `<h2 style="font-size:17px;margin:20px 0 4px">${escapeHtml(filter.name)}</h2>
<p style="margin:0 0 8px;color:#57606a">${escapeHtml(countWords(filter))}</p>
<table ${TABLE}><thead><tr><th ${LEFT}>Symbol</th>${heads}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>${more && `\n<p style="margin:8px 0;color:#57606a">${escapeHtml(more)}</p>`}`;
}

function chartHtml(symbol: string, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const cid = charts.get(symbol);
  const values = closes.get(symbol) ?? [];
  if (cid === undefined) return '';
  const [first, last] = [values[0] ?? null, values.at(-1) ?? null].map((close) => written('close', close));
  const alt = `${symbol}: the last ${values.length} closes, from ${first} to ${last}`;
  return `<td><img src="cid:${escapeHtml(cid)}" width="${CHART.width}" height="${CHART.height}" alt="${escapeHtml(alt)}"></td>`;
}
