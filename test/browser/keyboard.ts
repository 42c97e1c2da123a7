import type { Page } from 'playwright-core';
import { waitForFocus } from '../support/api/page-controls.ts';
import { evaluate, pollPage } from '../support/api/page-state.ts';
import { checkPage, findStops } from './check-page.mjs';

/** One look at the focus: the index of the focused control, how many controls there are, and what is wrong with it. */
type Focus = readonly [index: number, stops: number, problems: string[]];

/** Evaluates everything in one call, because calls into the page take most of the time. */
const LOOK_AT_FOCUS = `(() => {
  const stops = (${findStops})();
  return [stops.indexOf(document.activeElement), stops.length, (${checkPage})({ focusOnly: true })];
})()`;

/** Browsers also stop at elements that scroll, so that the keyboard can scroll them. */
const IS_SCROLLER = 'document.activeElement.scrollWidth > document.activeElement.clientWidth';

/** A field for a date has several stops: month, day, year and calendar. */
const IS_DATE = `document.activeElement.matches('[type=date], [type=datetime-local]')`;

/** Moves the place from which Tab continues before the first control, wherever the page has set the focus. */
const START_AT_TOP = `(() => {
  const top = document.createElement('span');
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
})()`;

/** Tabs through the page: every control is reached in reading order and shows its focus. */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await evaluate(page, START_AT_TOP);
  await waitForFocus(page, 'body');
  let last = -1;
  let count = (await evaluate<Focus>(page, LOOK_AT_FOCUS))[1];
  while (last < count - 1) {
    await page.keyboard.press('Tab');
    const [reached, stops, found] = await pollPage(page, `the focus after stop ${last} of ${count}`, async () => {
      const focus = await evaluate<Focus>(page, LOOK_AT_FOCUS);
      if (focus[0] >= 0 && focus[0] !== last) return focus;
      if (focus[0] >= 0) return (await evaluate<boolean>(page, IS_DATE)) && focus;
      return (await evaluate<boolean>(page, IS_SCROLLER)) && focus;
    });
    problems.push(...found);
    if (reached < 0 || reached === last) continue;
    if (reached !== last + 1) problems.push(`the focus went from ${last} to ${reached} of ${stops}`);
    // Otherwise a page that sends the focus back would never be finished.
    if (reached <= last) break;
    [last, count] = [reached, stops];
  }
  return problems;
}
