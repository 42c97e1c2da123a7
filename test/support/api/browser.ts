import { accessSync, constants } from 'node:fs';
import { after } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env.ALMANAC_CHROMIUM ?? '/usr/bin/chromium';

/** Why tests with a browser are skipped; false where there is one. */
export const noBrowser: string | false = isExecutable(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install chromium, or name one in ALMANAC_CHROMIUM`;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Long enough for two busy cores, short enough to say what is missing before the test's own time is over. */
const PATIENCE_MS = 20_000;

let running: Promise<Browser> | undefined;

/** One browser for all tests of a file, from the first that wants one to the end. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return running;
}

after(async () => (await running)?.close());

/** Somebody's browser, with cookies of its own. The pages must do without scripts, so they get none. */
export async function newVisitor(options: BrowserContextOptions = {}): Promise<BrowserContext & AsyncDisposable> {
  const context = await (await browser()).newContext({ javaScriptEnabled: false, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  return (await newVisitor(options)).newPage();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
