import type { ConsoleRoute } from '../visit.ts';
import { askPage } from './ask-page.ts';
import { questionsPage } from './questions-page.ts';
import { annulPage, resolvePage } from './resolve-page.ts';
import { revisePage } from './revise-page.ts';
import { scoreboardPage } from './scoreboard-page.ts';

/** The pages of questions. The page of one question is also a public page, which is registered with those. */
export const QUESTION_PAGES: readonly ConsoleRoute[] = [
  questionsPage,
  askPage,
  revisePage,
  resolvePage,
  annulPage,
  scoreboardPage,
];
