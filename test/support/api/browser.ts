import { accessSync, constants } from 'node:fs';
import { after } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The headless shell is preferred: it runs the same engine with less than half the CPU time of the full browser. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.ALMANAC_CHROMIUM ?? INSTALLED.find(isExecutable) ?? '/usr/bin/chromium';

/** Why browser tests are skipped; false when a browser is installed. */
export const noBrowser: string | false = isExecutable(CHROMIUM)
  ? false
  : `no browser at ${CHROMIUM}: install chromium-headless-shell or set ALMANAC_CHROMIUM`;

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

/** Long enough for two busy cores, and shorter than the timeout of a test, so that the error names what is missing. */
const ACTION_TIMEOUT_MS = 20_000;

let running: Promise<Browser> | undefined;

/** Starts the browser that all tests of a file share. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return running;
}

after(async () => (await running)?.close());

/** Closes the pages of a test. An open page with a focused field keeps drawing its caret. */
export async function closeVisitors(): Promise<void> {
  const contexts = (await running)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

/** Opens a browser context with its own cookies, without scripts, because the pages must work without them. */
export async function newVisitor(options: BrowserContextOptions = {}): Promise<BrowserContext & AsyncDisposable> {
  const context = await (await browser()).newContext({ javaScriptEnabled: false, ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
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
