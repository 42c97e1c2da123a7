import { bouncedSince, listApiKeys, listGrants, listSecurityEvents, listSessions } from '../../../../identity/index.ts';
import { forMembers } from '../http/member.ts';
import { takeNotice } from '../http/notices.ts';
import type { MemberVisit, PageRoute } from '../http/visit.ts';
import type { Page } from '../markup/document.ts';
import { type FieldErrors, notice } from '../markup/form.ts';
import { html } from '../markup/html.ts';
import {
  addressSection,
  applicationsSection,
  eventsSection,
  keysSection,
  passwordSection,
  sessionsSection,
} from './sections.ts';

const SHOWN_EVENTS = 20;

export const accountPage: PageRoute = {
  path: '/auth/account',
  get: forMembers((visit) => showAccount(visit)),
};

/** All about the account on one page; `errors` are those of the form for a new password. */
export async function showAccount(visit: MemberVisit, errors: FieldErrors = {}, status = 200): Promise<Page> {
  const { account, parts } = visit;
  const { accountId, email } = account;
  const { identity } = parts;
  const [sessions, grants, keys, events, bounced] = await Promise.all([
    listSessions(identity, accountId),
    listGrants(identity, accountId),
    listApiKeys(identity, accountId),
    listSecurityEvents(identity, accountId, { limit: SHOWN_EVENTS }),
    bouncedSince(identity.database, accountId),
  ]);
  return {
    title: 'Your account',
    wide: true,
    status,
    failed: status >= 400,
    body: html`<div class="head"><h1>Your account</h1><a class="button quiet" href="/auth/sign-out">Sign out</a></div>
${notice(takeNotice(visit))}
${addressSection(account, bounced !== null)}
${passwordSection(email, errors)}
${sessionsSection(sessions, account.credentialId)}
${applicationsSection(grants)}
${keysSection(keys)}
${eventsSection(events)}`,
  };
}
