import { escapeHtml } from '../../../platform/index.ts';
import type { MailContent, MailedFilter } from '../read-content.ts';
import { CHART_SIZE } from './chart.ts';
import { formatCounts, formatDay, formatRemainder, formatValue, type MailLinks, selectColumns } from './mail-format.ts';

/**
 * The attributes of a table, which its cells inherit. If every cell repeated them, they would make up most of the
 * email.
 */
const TABLE = 'cellpadding="5" cellspacing="0" style="border-collapse:collapse;text-align:right;white-space:nowrap"';
/** The align attribute is shorter than a style. */
const LEFT = 'align="left"';

interface HtmlMail extends MailContent, MailLinks {
  /** The content ids of the chart images, by symbol. */
  readonly charts: ReadonlyMap<string, string>;
}

/** Renders the email as HTML. Uses tables and inline styles, because mail programs support little else. */
export function renderMailHtml({ filters, session, charts, closes, unsubscribe, siteUrl }: HtmlMail): string {
  const tables = filters.map((filter) => renderFilter(filter, charts, closes));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(formatDay(session))}</title></head>
<body style="font:15px/1.45 system-ui,sans-serif;color:#1b1f24;margin:0;padding:16px">
<p>Your filters have matches at the close of ${escapeHtml(formatDay(session))}.</p>
${tables.join('\n')}
<p style="color:#57606a;font-size:13px">You receive this email because email is turned on for filters in your account at <a href="${escapeHtml(siteUrl)}">${escapeHtml(siteUrl)}</a>. We send at most one per trading day.<br><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>
</body>
</html>
`;
}

function renderFilter(filter: MailedFilter, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const columns = selectColumns(filter.matches);
  const heads = columns.map(({ label }) => `<th>${escapeHtml(label)}</th>`).join('');
  const rows = filter.matches.map(({ symbol, isNew, values }) => {
    // HTML allows these end tags to be omitted (section 13.1.2.4). They would make up a fifth of a long email.
    const cells = columns.map(({ text }) => `<td>${escapeHtml(text(values))}`).join('');
    const newMark = isNew ? ' <b>new</b>' : '';
    return `<tr><th ${LEFT} scope="row">${escapeHtml(symbol)}${newMark}</th>${cells}${renderChart(symbol, charts, closes)}</tr>`;
  });
  const remainder = formatRemainder(filter);
  return `<h2 style="font-size:17px;margin:20px 0 4px">${escapeHtml(filter.name)}</h2>
<p style="margin:0 0 8px;color:#57606a">${escapeHtml(formatCounts(filter))}</p>
<table ${TABLE}><thead><tr><th ${LEFT}>Symbol</th>${heads}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>${remainder && `\n<p style="margin:8px 0;color:#57606a">${escapeHtml(remainder)}</p>`}`;
}

function renderChart(symbol: string, charts: HtmlMail['charts'], closes: MailContent['closes']): string {
  const cid = charts.get(symbol);
  const values = closes.get(symbol) ?? [];
  if (cid === undefined) return '';
  const [first, last] = [values[0] ?? null, values.at(-1) ?? null].map((close) => formatValue('close', close));
  const alt = `${symbol}: the last ${values.length} closes, from ${first} to ${last}`;
  return `<td><img src="cid:${escapeHtml(cid)}" width="${CHART_SIZE.width}" height="${CHART_SIZE.height}" alt="${escapeHtml(alt)}"></td>`;
}
