import type { BrowserContextOptions } from 'playwright-core';

export type Scheme = 'light' | 'dark';

/** How a view is opened. Its colors change while it is open. */
export interface Look {
  readonly name: string;
  readonly width: number;
  /** Whether the scripts of the page run. */
  readonly hasScripts: boolean;
  /** The scheme in which the page opens; then it changes to the other one, as a system does in the evening. */
  readonly schemes: readonly [first: Scheme, then: Scheme];
  /** Whether the keyboard walks through the page. The order does not depend on the colors, so not every look has it. */
  readonly hasKeyboard: boolean;
}

export const LOOKS: readonly Look[] = [
  { name: '1440', width: 1440, hasScripts: true, schemes: ['light', 'dark'], hasKeyboard: true },
  { name: '360', width: 360, hasScripts: true, schemes: ['dark', 'light'], hasKeyboard: false },
  { name: '1440-no-script', width: 1440, hasScripts: false, schemes: ['dark', 'light'], hasKeyboard: false },
  { name: '360-no-script', width: 360, hasScripts: false, schemes: ['light', 'dark'], hasKeyboard: true },
];

/** Returns the options of a browser in a look. Motion is reduced, so that pictures and checks do not depend on time. */
export function optionsOf({ width, schemes }: Look): BrowserContextOptions {
  return {
    javaScriptEnabled: true,
    viewport: { width, height: 900 },
    colorScheme: schemes[0],
    reducedMotion: 'reduce',
    timezoneId: 'America/New_York',
  };
}
