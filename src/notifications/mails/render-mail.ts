import { MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS } from '../../contract/index.ts';
import {
  escapeHtml,
  type Mail,
  quoteInMail,
  quoteNameInMail,
  unsubscribeHeaders,
  withoutLinks,
} from '../../platform/index.ts';
import { countLines, type MailContent, type MailLine } from './read-content.ts';

interface RenderedMail extends MailContent {
  readonly to: string;
  readonly siteUrl: string;
  /** The address of the page that turns the emails off. */
  readonly unsubscribe: string;
}

/** Renders an email about forecasts as text and HTML with the same content. */
export function renderMail(mail: RenderedMail): Mail {
  const subject = formatSubject(mail);
  return {
    to: mail.to,
    subject,
    text: renderText(mail, subject),
    html: renderHtml(mail, subject),
    headers: unsubscribeHeaders(mail.unsubscribe),
  };
}

/**
 * Returns the name of a forecast in quotes. A title that looks like a link is replaced by the series, because a member of
 * the workspace can have changed it.
 */
function formatName({ title, series }: MailLine): string {
  return (title === null ? null : quoteInMail(title)) ?? quoteNameInMail(series);
}

/** @example formatSubject(mail) // 3 forecasts are ready, 1 failed, 1 outcome is complete */
function formatSubject({ lines: [line], counts }: MailContent): string {
  if (line !== undefined && countLines({ counts }) === 1) return formatSoleSubject(line);
  const { 'forecast.completed': completed, 'forecast.failed': failed, 'forecast.outcome': outcomes } = counts;
  const [forecasts, is] = completed === 1 ? ['forecast', 'is'] : ['forecasts', 'are'];
  return [
    completed > 0 && `${formatNumber(completed)} ${forecasts} ${is} ready`,
    failed > 0 && `${formatNumber(failed)} ${completed > 0 ? '' : `forecast${failed === 1 ? '' : 's'} `}failed`,
    outcomes > 0 && `${formatNumber(outcomes)} ${outcomes === 1 ? 'outcome is' : 'outcomes are'} complete`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

function formatSoleSubject(line: MailLine): string {
  const name = formatName(line);
  if (line.type === 'forecast.outcome') return `The outcome of your forecast ${name} is complete`;
  return `Your forecast ${name} ${line.type === 'forecast.failed' ? 'failed' : 'is ready'}`;
}

/** Returns what a line states, in the parts before, in and after its link. */
function describeLine(line: MailLine): readonly [before: string, name: string, after: string] {
  const name = formatName(line);
  if (line.type === 'forecast.outcome') return ['The outcome of ', name, ' is complete.'];
  if (line.type === 'forecast.completed') return ['', name, ' has completed.'];
  return ['', name, line.reason === null ? ' failed.' : ` failed: ${withoutLinks(line.reason)}`];
}

function forecastUrl(siteUrl: string, { slug }: MailLine): string {
  return `${siteUrl}/forecasts/${encodeURIComponent(slug)}`;
}

/** Returns a note about lines that the email does not have; an empty string if it has all. */
function formatRemainder(mail: MailContent): string {
  const more = countLines(mail) - mail.lines.length;
  return more > 0 ? `and ${formatNumber(more)} more` : '';
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}

const PURPOSE = 'You receive this email because emails about forecasts are turned on in your account at';
const BOUND = `We send at most one in ${MIN_MINUTES_BETWEEN_NOTIFICATION_MAILS} minutes.`;

function renderText(mail: RenderedMail, subject: string): string {
  const { lines, siteUrl, unsubscribe } = mail;
  const remainder = formatRemainder(mail);
  return `${[
    `${subject}.`,
    ...lines.map((line) => `${describeLine(line).join('')}\n${forecastUrl(siteUrl, line)}`),
    ...(remainder ? [`${remainder}:\n${siteUrl}/forecasts`] : []),
    `${PURPOSE} ${siteUrl}. ${BOUND} To unsubscribe, open`,
    unsubscribe,
  ].join('\n\n')}\n`;
}

function renderHtml(mail: RenderedMail, subject: string): string {
  const { lines, siteUrl, unsubscribe } = mail;
  const site = escapeHtml(siteUrl);
  const items = lines.map((line) => {
    const [before, name, after] = describeLine(line).map(escapeHtml);
    return `<li>${before}<a href="${escapeHtml(forecastUrl(siteUrl, line))}">${name}</a>${after}</li>`;
  });
  const remainder = formatRemainder(mail);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font:15px/1.45 system-ui,sans-serif;color:#1b1f24;margin:0;padding:16px">
<p>${escapeHtml(subject)}.</p>
<ul>
${items.join('\n')}
</ul>
${remainder && `<p><a href="${site}/forecasts">${escapeHtml(remainder)}</a></p>\n`}<p style="color:#57606a;font-size:13px">${PURPOSE} <a href="${site}">${site}</a>. ${BOUND}<br><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>
</body>
</html>
`;
}
