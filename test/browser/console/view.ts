import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { evaluate } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';

/** One state of a console page, such as a search without results. The matrix opens each state in every look. */
export interface ConsoleView {
  /** The name of its picture. */
  readonly name: string;
  /** Whether the state exists only with scripts. */
  readonly scriptOnly?: true;
  /** Opens the page in this state and waits until it is complete. */
  open(page: Page, site: FullSite): Promise<void>;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns what axe finds on the open page, one line for each element. The page must be opened with scripts enabled, because
 * axe is asynchronous; `withoutScripts` shows it as it is without its own scripts.
 *
 * @param rules the only rules to check; all by default
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const runOnly = rules === undefined ? { type: 'tag', values: TAGS } : { type: 'rule', values: rules };
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const found = await evaluate<Violation[]>(
    page,
    `${AXE}; axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

/** Makes a page load none of its own scripts, so that axe can check what readers without scripts see. */
export async function withoutScripts(page: Page): Promise<Page> {
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  return page;
}
