import { formsOf, linksOf, mainOf, type PageForm, textOf } from '../support/api/page-markup.ts';
import type { PageReply, PageVisitor } from '../support/identity/page-visitor.ts';
import type { Answer } from './answers.ts';

/** Statuses with which a control was refused. Errors in what was typed, conflicts and used-up quotas are not among them. */
const REFUSED = [401, 403, 404, 405];

/** Where a page that refuses may lead: to the navigation, the search, the sign-in and the account. */
const ALLOWED_LINK =
  /^\/($|search|series|new|forecasts|questions|scoreboard|screener|workspaces|glossary|docs|auth\/(sign-in|sign-up|account))/;

/** Refusals that a page can explain in its place: what it is for, and how to get an account. */
const EXPLAINED = ['401 UNAUTHENTICATED', '403 ACCOUNT_REQUIRED', '403 EMAIL_NOT_VERIFIED'];

/** Returns how the response to a visitor differs from the answer of the operation behind the page. */
export function checkStatus({ status, location, body }: PageReply, answer: Answer, expected?: number): string[] {
  const refused = typeof answer === 'string' ? Number(answer.slice(0, 3)) : null;
  if (expected !== undefined) return status === expected ? [] : [`has the status ${status}, not ${expected}`];
  if (refused === null) return status === 200 || status === 303 ? [] : [`has the status ${status}, but is allowed`];
  if (status === refused) return [];
  const isExplained = EXPLAINED.includes(String(answer));
  if (isExplained && status === 303 && location?.startsWith('/auth/sign-in')) return [];
  const isInvitation = linksOf(mainOf(body)).some((link) => /^\/auth\/(sign-in|sign-up|account)/.test(link));
  return isExplained && status === 200 && isInvitation
    ? []
    : [`has the status ${status}, but the API answers ${answer}`];
}

/** Returns what is wrong with a page that refuses: it has no words, or controls. A form that searches or filters may stay. */
export async function checkRefusal({ body }: PageReply, address: string, visitor: PageVisitor): Promise<string[]> {
  const main = mainOf(body);
  const problems = textOf(main).length > 40 && /<h1\b/.test(main) ? [] : ['refuses without words'];
  for (const form of formsOf(main).filter(({ action }) => action !== '/hints/dismiss')) {
    if (form.method === 'POST') problems.push(`refuses, but has the button “${form.button}” to ${form.action}`);
    else problems.push(...(await sendForm(form, address, visitor)).problems);
  }
  const links = linksOf(main).filter((link) => !ALLOWED_LINK.test(link));
  return [...problems, ...links.map((link) => `refuses, but has a link to ${link}`)];
}

/** Returns that a page leads to one that refuses, unless it leads to the sign-in. */
export async function followRedirect({ location }: PageReply, visitor: PageVisitor): Promise<string[]> {
  if (location === undefined || location.startsWith('/auth/')) return [];
  const { status } = await visitor.get(location, { headers: { accept: 'text/html' } });
  return REFUSED.includes(status) ? [`leads to ${location}, which answers ${status}`] : [];
}

/** Returns the links of a page that are refused. @param isNew returns whether to follow a link */
export async function followLinks(
  page: PageReply,
  visitor: PageVisitor,
  isNew: (link: string) => boolean,
): Promise<string[]> {
  const problems: string[] = [];
  for (const link of linksOf(mainOf(page.body)).filter((href) => href.startsWith('/') && isNew(href))) {
    const { status } = await visitor.get(link.split('#')[0] ?? '/', { headers: { accept: 'text/html' } });
    if (REFUSED.includes(status)) problems.push(`has a link to ${link}, which answers ${status}`);
  }
  return problems;
}

export interface SentForm {
  readonly problems: readonly string[];
  /** Whether the form was accepted, so that it may have changed something. */
  readonly isAccepted: boolean;
}

/** Sends a form as it stands on its page. */
export async function sendForm(form: PageForm, address: string, visitor: PageVisitor): Promise<SentForm> {
  const { method, button } = form;
  const fields = new URLSearchParams(form.fields.map(([name, value]): [string, string] => [name, value])).toString();
  const action = form.action === '' ? address : form.action;
  const reply =
    method === 'POST' ? await visitor.post(action, fields) : await visitor.get(`${action.split('?')[0]}?${fields}`);
  const refused = REFUSED.includes(reply.status)
    ? [
        `has the button “${button}” to ${action}, which answers ${reply.status}: ${textOf(mainOf(reply.body)).slice(0, 200)}`,
      ]
    : [];
  const next = reply.status === 303 && method === 'POST' ? await visitor.get(reply.location ?? '/') : null;
  const lost =
    next !== null && REFUSED.includes(next.status)
      ? [`has the button “${button}”, which leads to ${reply.location}, which answers ${next.status}`]
      : [];
  return { problems: [...refused, ...lost], isAccepted: method === 'POST' && reply.status < 400 };
}
