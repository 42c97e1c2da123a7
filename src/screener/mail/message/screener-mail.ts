import type { Mail, MailImage } from '../../../platform/index.ts';
import type { MailContent } from '../read-content.ts';
import { drawChart } from './chart.ts';
import { mailHtml } from './mail-html.ts';
import { mailText } from './mail-text.ts';
import { countWords, type Words } from './words.ts';

export interface ScreenerMail extends MailContent, Words {
  readonly to: string;
}

/** The one mail of an account about a session: all its filters, with text and HTML that say the same. */
export function screenerMail({ to, ...mail }: ScreenerMail): Mail {
  const charts = new Map<string, string>();
  const images: MailImage[] = [];
  for (const [symbol, closes] of mail.closes) {
    const png = drawChart(closes);
    if (png === null) continue;
    // By number: what a symbol is spelt with need not be good for a name.
    const cid = `chart-${images.length + 1}@screener`;
    charts.set(symbol, cid);
    images.push({ cid, filename: `chart-${images.length + 1}.png`, png });
  }
  return {
    to,
    subject: `Screener ${mail.session}: ${countWords(inAll(mail))}`,
    text: mailText(mail),
    html: mailHtml({ ...mail, charts }),
    images,
    headers: {
      'List-Unsubscribe': `<${mail.unsubscribe}>`,
      // RFC 8058: the mailbox's own button ends the mails with one request.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

function inAll({ filters }: MailContent) {
  const sum = (count: 'total' | 'fresh') => filters.reduce((total, filter) => total + filter[count], 0);
  return { total: sum('total'), fresh: sum('fresh') };
}
