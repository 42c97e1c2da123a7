import type { ConsoleRoute } from '../visit.ts';
import { cancelPage } from './cancel.ts';
import { deletePage } from './delete.ts';
import { outcomePage } from './outcome.ts';
import { questionsPage } from './questions.ts';
import { renamePage } from './rename.ts';
import { reproducePage } from './reproduce.ts';
import { prepareSavePage, savePage } from './save.ts';
import { visibilityPage } from './visibility.ts';

/** The pages of what a visitor can do with a forecast. */
export const ACTION_PAGES: readonly ConsoleRoute[] = [
  cancelPage,
  reproducePage,
  renamePage,
  visibilityPage,
  deletePage,
  outcomePage,
  questionsPage,
  savePage,
  prepareSavePage,
];
