import { type Browser, chromium } from 'playwright-core';
import { isExecutable } from '../platform/is-executable.ts';

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

/** Starts a browser, which the caller closes. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
