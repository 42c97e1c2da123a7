import { heading } from '../steps.ts';
import type { ConsoleView } from './view.ts';

export const errorViews: readonly ConsoleView[] = [
  {
    name: 'error-not-found',
    async open(page, { url }) {
      await page.goto(`${url}/nothing-here`);
      await heading(page, 'There is nothing here');
    },
  },
];
