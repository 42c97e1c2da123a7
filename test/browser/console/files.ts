import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { waitForText } from '../../support/api/page-controls.ts';
import { pollPage } from '../../support/api/page-state.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeMember, makeWorkspace } from '../../support/workspaces/workspaces.ts';
import { follow, heading, press } from '../steps.ts';
import { addCookies } from './caller.ts';
import { type ConsoleView, findViolations } from './view.ts';

/** Monthly sales as a German spreadsheet exports them: a title, units, decimal commas, days first and a total. */
export const MESSY_CSV = [
  'Umsatzbericht; Stand: heute;',
  '',
  'Datum;Umsatz;Region',
  ';in EUR;',
  ...Array.from({ length: 36 }, (_, month) => {
    const year = 2021 + Math.floor(month / 12);
    const value = 1000 + 12.5 * month + 200 * Math.sin((month * Math.PI) / 6);
    const [whole = '', cents = ''] = value.toFixed(2).split('.');
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
    return `01.${String((month % 12) + 1).padStart(2, '0')}.${year};${grouped},${cents};Nord`;
  }),
  'Summe;44.000,00;',
  'Quelle: Buchhaltung',
  '',
].join('\r\n');

const BROKEN_CSV = 'Datum;Umsatz\r\n01.01.2024;5\r\n02.01.2024;6;7\r\n03.01.2024;8\r\n';
const TWICE_CSV = 'date,value\n2024-01-01,5\n2024-01-02,6\n2024-01-02,7\n2024-01-03,8\n';
const AMBIGUOUS_CSV = 'date,value\n01/02/2024,5\n02/03/2024,6\n03/04/2024,7\n';

const fileOf = (text: string, name = 'umsatz.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

interface Owner {
  readonly cookie: string;
  readonly slug: string;
}

/** Signs a browser in to a new account. @returns its session and the slug of its workspace */
async function signIn(page: Page, site: FullSite, email?: string): Promise<Owner> {
  const address = email ?? (await site.account()).email;
  const { cookie = '' } = await withSession(site.identity, address);
  await addCookies(page, site, { cookie });
  const reply = await fetch(`${site.url}/api/v1/workspaces`, { headers: { cookie } });
  const { data } = (await reply.json()) as { data: { workspaces: { slug: string }[] } };
  return { cookie, slug: data.workspaces[0]?.slug ?? '' };
}

async function upload(site: FullSite, { cookie, slug }: Owner, text: string, name = 'umsatz.csv'): Promise<string> {
  const reply = await fetch(`${site.url}/api/v1/workspaces/${slug}/csv?name=${name}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'text/csv' },
    body: text,
  });
  const { data } = (await reply.json()) as { data: { id: string } };
  return data.id;
}

/** Returns a view of a file of a new account. */
function fileView(name: string, text: string, title = 'umsatz.csv', query = ''): ConsoleView {
  return {
    name: `file-${name}`,
    async open(page, site) {
      const owner = await signIn(page, site);
      const id = await upload(site, owner, text);
      await page.goto(`${site.url}/workspaces/${owner.slug}/files/${id}${query}`);
      await heading(page, title);
    },
  };
}

/** Chooses a file in the field of the form. */
async function choose(page: Page, text: string, name?: string): Promise<void> {
  await page.setInputFiles('#file', fileOf(text, name));
}

export const filesViews: readonly ConsoleView[] = [
  {
    name: 'files-invitation',
    async open(page, { url }) {
      await page.goto(`${url}/files`);
      await heading(page, 'Forecast your own data');
    },
  },
  {
    name: 'files-empty',
    async open(page, site) {
      await signIn(page, site);
      await page.goto(`${site.url}/files`);
      await heading(page, 'Files');
    },
  },
  {
    name: 'files-list',
    async open(page, site) {
      const owner = await signIn(page, site);
      await upload(site, owner, MESSY_CSV);
      await upload(site, owner, AMBIGUOUS_CSV, 'dates.csv');
      await page.goto(`${site.url}/files`);
      await heading(page, 'Files');
    },
  },
  {
    name: 'files-viewer',
    async open(page, site) {
      const [owner, viewer] = [await site.account(), await site.account()];
      const { database } = site.identity;
      const workspace = await makeWorkspace(database, owner.id);
      await makeMember(database, workspace.id, viewer.id);
      await signIn(page, site, viewer.email);
      await page.goto(`${site.url}/workspaces/${workspace.slug}/files`);
      await heading(page, 'Files');
    },
  },
  {
    name: 'files-refused',
    async open(page, site) {
      await signIn(page, site);
      await page.goto(`${site.url}/files`);
      await heading(page, 'Files');
      await choose(page, BROKEN_CSV);
      await waitForText(page, '02.01.2024;6;7', '#upload');
    },
    scriptOnly: true,
  },
  fileView('messy', MESSY_CSV),
  fileView('twice', TWICE_CSV),
  fileView('ambiguous', AMBIGUOUS_CSV),
  fileView('text', 'name,city\nAnn,Bonn\nBob,Rome\n'),
  {
    name: 'file-delete',
    async open(page, site) {
      const owner = await signIn(page, site);
      const id = await upload(site, owner, MESSY_CSV);
      await page.goto(`${site.url}/workspaces/${owner.slug}/files/${id}/delete`);
      await heading(page, 'Delete this file?');
    },
  },
];

export function testFiles(site: () => FullSite): void {
  test('a messy file goes from the upload to a forecast with two clicks', { skip: noBrowser }, async () => {
    const page = await newPage({ javaScriptEnabled: true });
    await signIn(page, site());
    await page.goto(`${site().url}/files`);
    await heading(page, 'Files');
    await choose(page, BROKEN_CSV);
    await waitForText(page, 'Line 3: there are 3 cells', '#upload');
    await waitForText(page, '02.01.2024;6;7', '#upload');
    await choose(page, MESSY_CSV);
    await heading(page, 'umsatz.csv');
    const text = await page.textContent('main');
    for (const words of ['Summe;44.000,00', 'Quelle: Buchhaltung', 'in EUR', 'Umsatzbericht', 'Monthly', '36']) {
      assert.ok(text?.includes(words), words);
    }
    assert.deepEqual(await findViolations(page), []);
    await follow(page, 'Forecast this');
    await heading(page, 'umsatz: Umsatz');
    // One model instead of all saves most of the time.
    await page.goto(`${page.url()}&model.ets=on&horizon=3`);
    await heading(page, 'umsatz: Umsatz');
    await press(page, 'Forecast');
    await pollPage(page, 'a forecast', async () => new URL(page.url()).pathname.startsWith('/forecasts/'));
    const address = `${site().url}/api/v1/ensemble-forecasts/${new URL(page.url()).pathname.split('/')[2]}`;
    await pollPage(page, 'a completed forecast', async () => {
      const { data } = await (await page.request.get(address)).json();
      return data.status === 'completed';
    });
  });

  test('without scripts a file is uploaded, refused with its line, and deleted', { skip: noBrowser }, async () => {
    const page = await newPage();
    await signIn(page, site());
    await page.goto(`${site().url}/files`);
    await choose(page, BROKEN_CSV);
    await press(page, 'Upload');
    assert.match((await page.textContent('#upload .alert')) ?? '', /Line 3: there are 3 cells.*02\.01\.2024;6;7/s);
    await choose(page, MESSY_CSV);
    await press(page, 'Upload');
    await heading(page, 'umsatz.csv');
    assert.match((await page.textContent('.notice')) ?? '', /The file is stored/);
    await follow(page, 'Delete');
    await press(page, 'Delete the file');
    await heading(page, 'Files');
    assert.match((await page.textContent('main')) ?? '', /The file is deleted.*No files yet/s);
  });
}
