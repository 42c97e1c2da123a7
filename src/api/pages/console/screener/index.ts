import type { ConsoleRoute } from '../visit.ts';
import { deleteFilterPage } from './delete-page.ts';
import { editFilterPage, newFilterPage } from './edit-page.ts';
import { emailSwitch } from './email-switch.ts';
import { filterPage } from './filter-page.ts';
import { screenerPage } from './list-page.ts';
import { mailsPage } from './mails-page.ts';

/** The pages of the screener. */
export const SCREENER_PAGES: readonly ConsoleRoute[] = [
  screenerPage,
  newFilterPage,
  mailsPage,
  filterPage,
  editFilterPage,
  emailSwitch,
  deleteFilterPage,
];
