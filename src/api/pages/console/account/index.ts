import type { ConsoleRoute } from '../visit.ts';
import { APPLICATION_PAGES } from './applications-page.ts';
import { FEED_PAGES } from './feeds-page.ts';
import { KEY_PAGES } from './keys-page.ts';
import { notificationsPage } from './notifications-page.ts';
import { OVERVIEW_PAGES } from './overview-page.ts';
import { passwordPage } from './password-page.ts';
import { securityPage } from './security-page.ts';
import { SESSION_PAGES } from './sessions-page.ts';
import { usagePage } from './usage-page.ts';

/** The pages of the account. */
export const ACCOUNT_PAGES: readonly ConsoleRoute[] = [
  ...OVERVIEW_PAGES,
  usagePage,
  ...KEY_PAGES,
  ...SESSION_PAGES,
  ...APPLICATION_PAGES,
  ...FEED_PAGES,
  notificationsPage,
  passwordPage,
  securityPage,
];
