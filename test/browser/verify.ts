import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../support/api/browser.ts';
import { fillField, shownText, waitForControl, waitForText } from '../support/api/page-controls.ts';
import { evaluate, pollPage, sessionOf } from '../support/api/page-state.ts';
import { stampedProofFile, stampedRevisionFile } from '../support/forecasts/proof-file.ts';
import type { FullSite } from '../support/identity/full-site.ts';
import { checkPage } from './check-page.mjs';
import { heading } from './steps.ts';

const options = { skip: noBrowser };
const VALID = 'The document has the content id that the file states';
const INVALID = 'This file is not a valid proof.';
const HOSTILE = '<img src=/verify/image onerror="document.title=1"><script>document.title=2</script>';

/** Tests the page that verifies proof files. */
export function testVerify(open: () => FullSite): void {
  describe('the page /verify', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'almanac-verify-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    test('verifies chosen, dropped and pasted files and sends none of them', options, async () => {
      const narrow = { viewport: { width: 320, height: 400 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;
      const page = await newPage({ javaScriptEnabled: true, ...narrow });
      const requests: string[] = [];
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await openVerify(page, open());
      page.on('request', (request) => requests.push(request.url()));
      const file = JSON.stringify(stampedProofFile());

      await chooseFile(page, file);
      await waitForText(page, VALID, '[role=status]');
      await waitForText(page, 'Forecast ef_1', '#details');
      await waitForText(page, 'Recorded on chain 31337 in transaction 0x7e7e', '#details');
      assert.deepEqual(
        await evaluate(page, `(${checkPage})({})`),
        [],
        'the verdict is accessible on a small, dark screen',
      );

      await chooseFile(page, file.replace('"0.5":100', '"0.5":101'));
      await waitForText(page, INVALID, '[role=status]');
      await waitForText(page, 'content_cid: the document’s is 0x', '#details');

      await dropFile(page, JSON.stringify(stampedRevisionFile((document) => (document.question = HOSTILE))));
      await waitForText(page, VALID, '[role=status]');
      await waitForText(page, HOSTILE, '#details');
      assert.equal(await evaluate(page, `document.querySelectorAll('main img, main script:not([src])').length`), 0);

      await chooseFile(page, ' '.repeat(8 * 1024 * 1024 + 1));
      await waitForText(page, 'The file has more than 8388608 bytes.', '#details');

      await fillField(page, 'Text of a proof file', `${HOSTILE} is not a proof`);
      await pressButton(page, 'Verify the text');
      await waitForText(page, 'The file is not JSON.', '#details');

      assert.deepEqual(requests, [], 'nothing is sent after the page is loaded');
      assert.deepEqual(messages, [], 'the page does nothing that its policy blocks');
      assert.equal(await evaluate(page, 'document.title'), 'Verify a proof · Almanac');
      assert.equal(new URL(page.url()).pathname, '/verify', 'a dropped file does not replace the page');
    });

    test('the policy of the page blocks inline scripts and every request', options, async () => {
      const page = await newPage({ javaScriptEnabled: true, reducedMotion: 'reduce' });
      await openVerify(page, open());
      assert.deepEqual(await evaluate(page, `(${checkPage})({})`), [], 'the page is accessible');
      // The browser reports a request before it blocks it, so only a response shows that it was sent.
      const responses: string[] = [];
      page.on('response', (response) => responses.push(response.url()));
      const blocked = await evaluate<string[]>(
        page,
        `new Promise((resolve) => {
          const found = new Set();
          document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            found.add(effectiveDirective);
            if (found.size === 3) resolve([...found].sort());
          });
          const script = document.createElement('script');
          script.textContent = 'document.title = "changed"';
          const image = document.createElement('img');
          image.src = '/verify/image';
          document.body.append(script, image);
          fetch('/verify').catch(() => {});
        })`,
      );
      assert.deepEqual(blocked, ['connect-src', 'img-src', 'script-src-elem']);
      assert.equal(await evaluate(page, 'document.title'), 'Verify a proof · Almanac');
      assert.deepEqual(responses, []);
    });

    test('without scripts, the page names the command', options, async () => {
      const page = await newPage();
      await page.goto(`${open().url}/verify`);
      await waitForText(page, 'Verify the file with the command below instead.');
      await waitForText(page, 'proof verify FILE --chain URL');
      assert.doesNotMatch(String(await shownText(page)), /Choose the file/);
      assert.deepEqual(await evaluate(page, `(${checkPage})({})`), [], 'the page is accessible');
    });

    /** Chooses a file in the dialog that the field opens by keyboard. */
    async function chooseFile(page: Page, text: string): Promise<void> {
      const path = join(folder, 'proof.json');
      writeFileSync(path, text);
      const session = await sessionOf(page);
      let dialogOf: number | undefined;
      session.once('Page.fileChooserOpened', ({ backendNodeId }) => {
        dialogOf = backendNodeId;
      });
      await session.send('Page.enable');
      await session.send('Page.setInterceptFileChooserDialog', { enabled: true });
      await evaluate(page, `document.getElementById('file').focus()`);
      await page.keyboard.press('Enter');
      const backendNodeId = await pollPage(page, 'a dialog to choose a file', async () => dialogOf);
      await session.send('DOM.setFileInputFiles', { files: [path], backendNodeId });
    }

    /** Drops a file on the heading, with the browser's own events. */
    async function dropFile(page: Page, text: string): Promise<void> {
      const path = join(folder, 'dropped.json');
      writeFileSync(path, text);
      const session = await sessionOf(page);
      const data = { items: [], files: [path], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: 100, y: 100, data });
      }
    }
  });
}

async function openVerify(page: Page, site: FullSite): Promise<void> {
  await page.goto(`${site.url}/verify`);
  await heading(page, 'Verify a proof');
  await waitForText(page, 'Choose the file, or drop it');
}

/** Presses a button that changes this document. */
async function pressButton(page: Page, name: string): Promise<void> {
  const backendNodeId = await waitForControl(page, { role: 'button', name });
  const session = await sessionOf(page);
  await session.send('DOM.focus', { backendNodeId });
  await page.keyboard.press('Enter');
}
