import type { ConsoleRoute } from '../visit.ts';
import { accountPage, planPage } from './account-page.ts';
import { accountsPage } from './accounts-page.ts';
import { administratorPage, lockPage } from './confirm-pages.ts';
import { ledgerPage } from './ledger-page.ts';
import { servicePage } from './service-page.ts';

/** The pages of administrators. */
export const ADMIN_PAGES: readonly ConsoleRoute[] = [
  servicePage,
  ledgerPage,
  accountsPage,
  accountPage,
  planPage,
  lockPage,
  administratorPage,
];
