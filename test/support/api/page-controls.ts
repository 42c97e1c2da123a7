import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { ACTION_TIMEOUT_MS } from './browser.ts';

/**
 * Finds controls in the browser's own accessibility tree and uses them by mouse and keyboard. Playwright's locators do the
 * same with a large script, which they load into every document: that takes as much CPU as the rest of the visit.
 */
export interface Control {
  readonly role: 'button' | 'heading' | 'link' | 'textbox';
  /** A part of its accessible name, in any case. */
  readonly name: string;
  readonly isWholeName?: boolean;
  /** Of a heading. */
  readonly level?: number;
}

const POLL_MS = 25;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  return known;
}

/** Clicks a control that leads to another document, and waits for that. */
export async function clickControl(page: Page, control: Control): Promise<void> {
  const backendNodeId = await waitForControl(page, control);
  // Its place can change until the styles are there.
  await page.waitForLoadState();
  const session = await sessionOf(page);
  await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
  const { quads } = await session.send('DOM.getContentQuads', { backendNodeId });
  const [left = 0, top = 0, , , right = 0, bottom = 0] = quads[0] ?? [];
  assert.ok(right > left && bottom > top, `the ${control.role} ${control.name} is not shown`);
  await Promise.all([
    page.waitForEvent('framenavigated', { timeout: ACTION_TIMEOUT_MS }),
    page.mouse.click((left + right) / 2, (top + bottom) / 2),
  ]);
}

/** Replaces the value of the field with this label. */
export async function fillField(page: Page, name: string, value: string): Promise<void> {
  const backendNodeId = await waitForControl(page, { role: 'textbox', name });
  await (await sessionOf(page)).send('DOM.focus', { backendNodeId });
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(value);
}

/** Waits until the page has exactly one such control, and returns its node. */
export function waitForControl(page: Page, control: Control): Promise<number> {
  return poll(`one ${control.role} “${control.name}”`, page, async () => {
    const found = await nodesOf(page, control);
    return found.length === 1 ? found[0] : undefined;
  });
}

/** Waits until the page, or a part of it, shows a text. @param selector the part, by CSS */
export async function waitForText(page: Page, text: string, selector = 'body'): Promise<void> {
  await poll(
    `the text “${text}” in ${selector}`,
    page,
    async () => (await shownText(page, selector)).includes(text) || undefined,
  );
}

/** Waits until the page alerts the reader with a text. */
export function waitForAlert(page: Page, text = ''): Promise<void> {
  return waitForText(page, text, '[role=alert]');
}

/** Returns the text that a part of the page shows; fails without such a part. */
export async function shownText(page: Page, selector = 'body'): Promise<string> {
  const text = await page.evaluate<string>(`document.querySelector('${selector}').innerText`);
  return text.replaceAll(/\s+/g, ' ');
}

async function nodesOf(page: Page, { role, name, isWholeName = false, level }: Control): Promise<number[]> {
  const session = await sessionOf(page);
  const { root } = await session.send('DOM.getDocument', { depth: 0 });
  const { nodes } = await session.send('Accessibility.queryAXTree', { nodeId: root.nodeId, role });
  const wanted = name.toLowerCase();
  return nodes.flatMap((node) => {
    const found = String(node.name?.value ?? '').trim();
    const isNamed = isWholeName ? found === name : found.toLowerCase().includes(wanted);
    const isLevel = level === undefined || node.properties?.find((one) => one.name === 'level')?.value.value === level;
    return isNamed && isLevel && !node.ignored && node.backendDOMNodeId !== undefined ? [node.backendDOMNodeId] : [];
  });
}

/** Looks until there is something. A look fails while one document replaces another. */
async function poll<T>(what: string, page: Page, look: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + ACTION_TIMEOUT_MS;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${page.url()} does not show ${what}: ${await shownText(page)}`);
    await sleep(POLL_MS);
  }
}
