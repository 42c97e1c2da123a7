import { type Mail, type MailImage, unsubscribeHeaders } from '../../../platform/index.ts';
import type { MailContent } from '../read-content.ts';
import { drawChart } from './chart.ts';
import { formatCounts, type MailLinks } from './mail-format.ts';
import { renderMailHtml } from './mail-html.ts';
import { renderMailText } from './mail-text.ts';

interface ScreenerMail extends MailContent, MailLinks {
  readonly to: string;
}

/** Renders the email about a session as text and HTML with the same content. */
export function renderScreenerMail({ to, ...mail }: ScreenerMail): Mail {
  const charts = new Map<string, string>();
  const images: MailImage[] = [];
  for (const [symbol, closes] of mail.closes) {
    const png = drawChart(closes);
    if (png === null) continue;
    // Numbered, because a symbol may contain characters that are invalid in a content id.
    const cid = `chart-${images.length + 1}@screener`;
    charts.set(symbol, cid);
    images.push({ cid, filename: `chart-${images.length + 1}.png`, png });
  }
  return {
    to,
    subject: `Screener ${mail.session}: ${formatCounts(sumCounts(mail))}`,
    text: renderMailText(mail),
    html: renderMailHtml({ ...mail, charts }),
    images,
    headers: unsubscribeHeaders(mail.unsubscribe),
  };
}

function sumCounts({ filters }: MailContent) {
  const sum = (count: 'total' | 'newCount') => filters.reduce((total, filter) => total + filter[count], 0);
  return { total: sum('total'), newCount: sum('newCount') };
}
