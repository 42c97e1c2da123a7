import type { FastifyInstance } from 'fastify';
import type { IdentityContext } from '../../src/identity/index.ts';
import { startSession } from '../../src/identity/sessions/browser-sessions.ts';
import { addCookie } from '../support/api/console-browser.ts';
import { type PageVisitor, pageVisitor } from '../support/identity/page-visitor.ts';
import type { Answer } from './answers.ts';
import type { Caller, CallerName } from './callers.ts';
import { MEMBERSHIP_CALLERS, type MembershipCaller } from './membership-callers.ts';
import type { Row } from './row.ts';

/**
 * The visitors of pages, each with the caller of the table whose answers it gets. Accounts of callers with keys visit pages
 * with a session, which every plan may use.
 */
const VISITORS = {
  'no credential': 'no credential',
  guest: 'guest',
  'free account by session': 'free account by session',
  'free account by key': 'pro account by session',
  'pro account by session': 'pro account by session',
  'enterprise key': 'enterprise key',
  'verified free administrator by key': 'verified free administrator by key',
  'unverified free administrator by key': 'free account by session',
} as const satisfies Partial<Record<CallerName, CallerName>>;

const MEMBERS = Object.keys(MEMBERSHIP_CALLERS) as MembershipCaller[];

export type PageCaller = keyof typeof VISITORS | MembershipCaller;

/** Visitors that own the workspace of their scene as others do, so that they open only the other pages. */
const OTHER_OWNERS: readonly PageCaller[] = [
  'free account by key',
  'enterprise key',
  'unverified free administrator by key',
];

/** Returns the visitors of a page. If it does not concern workspaces, one member stands for all members. */
export function pageCallers({ isOfWorkspace }: { readonly isOfWorkspace: boolean }): readonly PageCaller[] {
  const visitors = Object.keys(VISITORS) as PageCaller[];
  return isOfWorkspace
    ? [...visitors.filter((name) => !OTHER_OWNERS.includes(name)), ...MEMBERS]
    : [...visitors, 'viewer of nothing'];
}

/** Returns what the table of operations states about a visitor. */
export function answerTo(
  { answers }: Row,
  name: PageCaller,
  { isOfWorkspace = false }: { readonly isOfWorkspace?: boolean },
): Answer {
  // A page that is not about the workspace shows a member what is its own.
  const own = isOfWorkspace ? name : 'enterprise key';
  const answer = answers[name in VISITORS ? VISITORS[name as keyof typeof VISITORS] : own];
  return answer === '403 SESSION_REQUIRED' ? answers['pro account by session'] : answer;
}

/** Callers with the same rights as another one. Their pages may show no more, and what they show is used by that one. */
const SAME_STANDING: Partial<Record<PageCaller, PageCaller>> = {
  'enterprise key': 'pro account by session',
  'unverified free administrator by key': 'free account by session',
  'editor of nothing': 'editor of an empty list',
  'viewer of nothing': 'viewer of an empty list',
};

/**
 * Returns the caller that uses a link or a form which a caller sees.
 *
 * @param isOfWorkspace whether the link or form is about something of a workspace
 */
export function standingOf(name: PageCaller, { isOfWorkspace }: { readonly isOfWorkspace: boolean }): PageCaller {
  if (isOfWorkspace || name in VISITORS) return SAME_STANDING[name] ?? name;
  return name === 'another guest' ? 'guest' : 'pro account by session';
}

let opened = 0;

/** Opens a browser of a caller, on a network of its own, because some limits are per network. */
export async function openPageCaller(
  app: FastifyInstance,
  identity: IdentityContext,
  { credentials, accountId }: Caller,
): Promise<PageVisitor> {
  opened += 1;
  const address = `10.${(opened >> 8) & 255}.${opened & 255}.1`;
  const browser = pageVisitor(app);
  if (credentials.cookie) addCookie(browser, credentials.cookie);
  else if (accountId !== null) addCookie(browser, await startBrowserSession(identity, accountId));
  return {
    cookies: browser.cookies,
    get: (path, sending) => browser.get(path, { address, ...sending }),
    post: (path, fields, sending) => browser.post(path, fields, { address, ...sending }),
  };
}

async function startBrowserSession({ database, clock }: IdentityContext, id: string): Promise<string> {
  const origin = { network: null, userAgent: null };
  const { secret } = await database.transaction((tx) =>
    startSession(tx, { id, email: '' }, { now: clock.now(), origin, by: 'password' }),
  );
  return `__Host-almanac_session=${secret}`;
}
