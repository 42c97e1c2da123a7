import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleMessage, Page } from 'playwright-core';
import { newPage } from '../../support/api/browser.ts';
import { evaluate, pollPage } from '../../support/api/page-state.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { checkPage } from '../check-page.mjs';
import { type ConsoleView, findViolations, withoutScripts } from '../console/view.ts';
import { walkByKeyboard } from '../keyboard.ts';
import { type Look, optionsOf, type Scheme } from './looks.ts';

/** The folder for pictures of the views. Without it none are taken. */
const PICTURES = process.env.ALMANAC_PAGE_PICTURES;

let opened = 0;

/** Returns an address in a network of its own, because one network may have only a few new guests a minute. */
function nextAddress(): string {
  opened += 1;
  return `10.${opened >> 8}.${opened & 255}.1`;
}

/** Opens a view in a look and checks it in both color schemes. @returns the problems, one line each */
export async function checkView(view: ConsoleView, look: Look, site: FullSite): Promise<string[]> {
  const page = await newPage({ ...optionsOf(look), extraHTTPHeaders: { 'x-forwarded-for': nextAddress() } });
  try {
    const errors = collectErrors(page);
    if (!look.hasScripts) await withoutScripts(page);
    await view.open(page, site);
    const problems: string[] = [];
    for (const [index, scheme] of look.schemes.entries()) {
      if (index > 0) await page.emulateMedia({ colorScheme: scheme });
      await waitForScheme(page, scheme);
      const rules = index === 0 ? undefined : ['color-contrast'];
      const found = [...(await evaluate<string[]>(page, `(${checkPage})({})`)), ...(await findViolations(page, rules))];
      problems.push(...found.map((problem) => `${scheme}: ${problem}`));
      if (PICTURES) await takePicture(page, `${view.name}-${look.name}-${scheme}`);
    }
    if (look.hasKeyboard) problems.push(...(await walkByKeyboard(page)).map((problem) => `keyboard: ${problem}`));
    return [...problems, ...errors];
  } finally {
    await page.context().close();
  }
}

function waitForScheme(page: Page, scheme: Scheme): Promise<boolean> {
  const expression = `matchMedia('(prefers-color-scheme: ${scheme})').matches`;
  return pollPage(page, `the ${scheme} scheme`, () => evaluate<boolean>(page, expression));
}

/** Collects what the page reports as errors: exceptions, and what its policy refuses. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(page, message)) errors.push(`console: ${message.text()}`);
  });
  return errors;
}

/**
 * The browser itself reports every request that fails, also that of a page, of a part of a page or of an API call whose
 * script handles it.
 */
function isExpected(page: Page, message: ConsoleMessage): boolean {
  if (!/^Failed to load resource: (the server responded with a status of [45]\d\d|net::)/.test(message.text()))
    return false;
  const { url } = message.location();
  const { pathname, searchParams } = new URL(url);
  return url === page.url() || pathname.startsWith('/api/') || searchParams.has('part');
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(String(PICTURES), { recursive: true });
  await page.screenshot({ path: join(String(PICTURES), `${name}.png`), fullPage: true });
}
