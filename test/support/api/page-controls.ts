import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { evaluate, openNext, pollPage, SETTLED_DOCUMENT, sessionOf } from './page-state.ts';

/**
 * Finds controls in the browser's own accessibility tree and uses them by mouse and keyboard. Playwright's locators do the
 * same with a large script, which they load into every document: that takes as much CPU as the rest of the visit.
 */
export interface Control {
  readonly role: 'button' | 'heading' | 'link' | 'textbox';
  /** A part of its accessible name, in any case. */
  readonly name: string;
  readonly isWholeName?: boolean;
  /** The level of a heading. */
  readonly level?: number;
}

/** Clicks a control that leads to another document, and waits for that document. */
export async function clickControl(page: Page, control: Control): Promise<void> {
  const backendNodeId = await waitForControl(page, control);
  const session = await sessionOf(page);
  await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
  const { quads } = await session.send('DOM.getContentQuads', { backendNodeId });
  const [left = 0, top = 0, , , right = 0, bottom = 0] = quads[0] ?? [];
  assert.ok(right > left && bottom > top, `the ${control.role} ${control.name} is not shown`);
  await openNext(page, () => page.mouse.click((left + right) / 2, (top + bottom) / 2));
}

/** Replaces the value of the field with this label. */
export async function fillField(page: Page, name: string, value: string): Promise<void> {
  await callOnField(page, name, 'function () { this.focus(); this.select(); }');
  await page.keyboard.insertText(value);
}

export function readField(page: Page, name: string): Promise<string> {
  return callOnField(page, name, 'function () { return this.value; }');
}

async function callOnField<T>(page: Page, name: string, functionDeclaration: string): Promise<T> {
  const backendNodeId = await waitForControl(page, { role: 'textbox', name });
  const session = await sessionOf(page);
  const { object } = await session.send('DOM.resolveNode', { backendNodeId });
  const objectId = String(object.objectId);
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    objectId,
    returnByValue: true,
  });
  return result.value as T;
}

/** Waits until the page has exactly one such control, and returns its node. */
export function waitForControl(page: Page, control: Control): Promise<number> {
  return pollPage(page, `one ${control.role} “${control.name}”`, async () => {
    const found = await nodesOf(await sessionOf(page), control);
    return found.length === 1 ? found[0] : undefined;
  });
}

async function nodesOf(session: CDPSession, { role, name, isWholeName = false, level }: Control): Promise<number[]> {
  const { result } = await session.send('Runtime.evaluate', { expression: SETTLED_DOCUMENT });
  if (result.objectId === undefined) return [];
  const { nodes } = await session.send('Accessibility.queryAXTree', { objectId: result.objectId, role });
  const wanted = name.toLowerCase();
  return nodes.flatMap((node) => {
    const found = String(node.name?.value ?? '').trim();
    const isNamed = isWholeName ? found === name : found.toLowerCase().includes(wanted);
    const isLevel = level === undefined || node.properties?.find((one) => one.name === 'level')?.value.value === level;
    return isNamed && isLevel && !node.ignored && node.backendDOMNodeId !== undefined ? [node.backendDOMNodeId] : [];
  });
}

/** Waits until the page, or a part of it, shows a text. @param selector the part, by CSS */
export async function waitForText(page: Page, text: string, selector = 'body'): Promise<void> {
  const what = `the text “${text}” in ${selector}`;
  await pollPage(page, what, async () => (await shownText(page, selector))?.includes(text));
}

/** Waits until an element of the page shows this text and nothing else. */
export async function waitForWholeText(page: Page, text: string): Promise<void> {
  const isShown = `(element) => element.checkVisibility() && element.innerText?.trim() === ${JSON.stringify(text)}`;
  const expression = `[...(${SETTLED_DOCUMENT}).querySelectorAll('body *')].some(${isShown})`;
  await pollPage(page, `an element “${text}”`, () => evaluate<boolean>(page, expression));
}

/** Waits until the page alerts the reader with a text. */
export function waitForAlert(page: Page, text = ''): Promise<void> {
  return waitForText(page, text, '[role=alert]');
}

/** Returns the text that a part of the page shows; undefined without such a part. */
export async function shownText(page: Page, selector = 'body'): Promise<string | undefined> {
  const expression = `(${SETTLED_DOCUMENT})?.querySelector('${selector}')?.innerText`;
  const text = await evaluate<string | undefined>(page, expression);
  return text?.replaceAll(/\s+/g, ' ');
}

/** Presses Tab and waits until the focus is on the element of a CSS selector. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  await page.keyboard.press('Tab');
  await waitForFocus(page, selector);
}

export async function waitForFocus(page: Page, selector: string): Promise<void> {
  const expression = `document.activeElement.matches(${JSON.stringify(selector)})`;
  await pollPage(page, `the focus on ${selector}`, () => evaluate<boolean>(page, expression));
}
