// Opens every state of every console page in every look, and checks what readers see, hear and reach by keyboard:
//
//   npm run -s test:browser [-- --view forecast]
//
// With --view only the views whose names start with this text are checked. With ALMANAC_PAGE_PICTURES=FOLDER every view
// is also drawn into a file there.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import { noBrowser } from '../../support/api/browser.ts';
import { type FullSite, openFullSite } from '../../support/identity/full-site.ts';
import { consoleViews } from '../console/views.ts';
import { checkView } from './check-view.ts';
import { LOOKS } from './looks.ts';

const { values } = parseArgs({ options: { view: { type: 'string', default: '' } } });
const views = consoleViews.filter(({ name }) => name.startsWith(values.view));

// Two views at a time, because the service and the browser are different processes.
describe('the views of the console', { concurrency: 2, skip: noBrowser }, () => {
  let site: FullSite;
  before(async () => {
    site = await openFullSite({ hasNetworks: true });
  });
  after(() => site?.[Symbol.asyncDispose]());

  test('there are views, and each has a name of its own', () => {
    assert.ok(views.length > 0, `no view starts with ${values.view}`);
    assert.deepEqual([...new Set(views.map(({ name }) => name))].length, views.length);
  });

  for (const view of views) {
    for (const look of LOOKS) {
      if (view.scriptOnly && !look.hasScripts) continue;
      test(`${view.name}, ${look.name}`, async () => assert.deepEqual(await checkView(view, look, site), []));
    }
  }
});
