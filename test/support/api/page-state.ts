import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { ACTION_TIMEOUT_MS } from './browser.ts';

/**
 * Evaluates to the document once it no longer changes on its own, and to null before that. The document must be loaded,
 * must not forward to another one and must have set the focus, which the browser does only when it draws.
 */
export const SETTLED_DOCUMENT = `(() => {
  const isForwarding = document.querySelector('meta[http-equiv=refresh]') !== null;
  const hasFocus = document.querySelector('[autofocus]') === null || document.activeElement !== document.body;
  document.isSettled ||= document.readyState === 'complete' && !isForwarding && hasFocus;
  return document.isSettled ? document : null;
})()`;

const POLL_MS = 25;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Returns the connection through which tests use the browser's own protocol. */
export function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  return known;
}

/** Evaluates an expression in the page. Playwright's `evaluate` loads a script into every document first. */
export async function evaluate<T>(page: Page, expression: string): Promise<T> {
  const session = await sessionOf(page);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

/** Runs an action that leads to another document or another place in this one, and waits until the browser is there. */
export async function openNext(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated', { timeout: ACTION_TIMEOUT_MS }), act()]);
}

/**
 * Calls `look` until it finds something, and returns that. A call may fail while one document replaces another.
 * @param what names in the error what was not found
 */
export async function pollPage<T>(page: Page, what: string, look: () => Promise<T | false | undefined>): Promise<T> {
  const end = performance.now() + ACTION_TIMEOUT_MS;
  for (;;) {
    // Without this wait, most calls would come too early, and each costs CPU time.
    const found = await page
      .waitForLoadState()
      .then(look)
      .catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) break;
    await sleep(POLL_MS);
  }
  const text = await evaluate(page, 'document.body.innerText').catch(String);
  throw new Error(`${page.url()} does not show ${what}: ${text}`);
}
