import type { SecurityEventKind } from '../../../../contract/index.ts';
import { type Html, html } from '../markup/html.ts';

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A moment in words. There is no script that could know the reader's zone, so it is UTC and says so. */
export function moment(at: Date | string): Html {
  const date = new Date(at);
  return html`<time datetime="${date.toISOString()}">${MOMENT.format(date)} UTC</time>`;
}

/** In this order: most browsers name others before themselves. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a browser calls itself, in two words: enough to recognise one's own. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'An unnamed browser';
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (!browser) return userAgent.slice(0, 60);
  return system ? `${browser} on ${system}` : browser;
}

/** What happened, as the account's owner would say it. */
export const EVENT_WORDS: Readonly<Record<SecurityEventKind, string>> = {
  account_created: 'The account was made',
  plan_changed: 'The plan was changed',
  email_verified: 'The e-mail address was confirmed',
  signed_in: 'Signed in',
  sign_in_failed: 'A sign-in failed: wrong password',
  signed_out: 'Signed out',
  session_ended: 'A browser was signed out from elsewhere',
  sessions_ended: 'Other browsers were signed out',
  password_changed: 'The password was changed',
  password_change_failed: 'A change of the password failed: wrong present password',
  password_reset: 'The password was replaced by a link in a mail',
  reset_requested: 'A new password was asked for',
  key_created: 'An API key was made',
  key_revoked: 'An API key was revoked',
  client_authorized: 'An application was allowed in',
  grant_revoked: 'An application was shut out',
  token_reuse_detected: 'A used-up token came back: the application was shut out',
  outside_identity_linked: 'A sign-in of another service was linked',
  outside_identity_unlinked: 'A sign-in of another service was unlinked',
};
