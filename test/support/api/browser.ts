import { after } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

export { noBrowser } from './chromium.ts';

/** Long enough for two busy cores, and shorter than the timeout of a test, so that the error names what is missing. */
export const ACTION_TIMEOUT_MS = 20_000;

/** Small, because the browser draws every page. */
const VIEWPORT = { width: 640, height: 480 };

let running: Promise<Browser> | undefined;

/** Starts the browser that all tests of a file share. */
function browser(): Promise<Browser> {
  running ??= launchChromium();
  return running;
}

after(async () => (await running)?.close());

/** The contexts of the running test, and those kept for a later test with the same options. */
const visiting: Visitor[] = [];
const idle: Visitor[] = [];

interface Visitor {
  readonly options: string;
  readonly context: BrowserContext;
  /** Its first page, which stays open: a context without a page loses its process. */
  readonly page: Page;
}

/**
 * Ends the visits of a test. Later visitors have none of its cookies, and open their own first document.
 * @param hasPassed whether the visits ended as expected; otherwise a document may still be loading
 */
export async function closeVisitors(hasPassed: boolean): Promise<void> {
  await Promise.all(
    visiting.splice(0).map(async (visitor) => {
      if (!hasPassed) return visitor.context.close();
      await forgetVisit(visitor);
      idle.push(visitor);
    }),
  );
}

async function forgetVisit({ context, page }: Visitor): Promise<void> {
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.unrouteAll();
  await context.clearCookies();
}

/** Opens a page with its own cookies. Scripts are off by default, because the pages must work without them. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const key = JSON.stringify(options);
  const known = idle.findIndex((visitor) => visitor.options === key);
  const [visitor = await openVisitor(key)] = known < 0 ? [] : idle.splice(known, 1);
  visiting.push(visitor);
  return visitor.page;
}

async function openVisitor(options: string): Promise<Visitor> {
  const context = await (await browser()).newContext({
    javaScriptEnabled: false,
    viewport: VIEWPORT,
    ...JSON.parse(options),
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return { options, context, page: await context.newPage() };
}
