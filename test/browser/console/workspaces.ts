import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { addShownForecasts } from '../../support/forecasts/shown-forecasts.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeCsvFile } from '../../support/workspaces/csv-files.ts';
import { makeInvitation } from '../../support/workspaces/invitations.ts';
import { makeMember, makeWorkspace, personalWorkspace } from '../../support/workspaces/workspaces.ts';
import { follow, heading, press } from '../steps.ts';
import { giveCookie } from './forecasts.ts';
import { type ConsoleView, findViolations } from './view.ts';

interface Person {
  readonly id: string;
  readonly email: string;
}

/** A workspace with members of every role, files, forecasts and open invitations. */
interface Desk {
  readonly slug: string;
  readonly owner: Person;
  readonly editor: Person;
  readonly viewer: Person;
  readonly editorId: string;
  readonly emptySlug: string;
}

const CO2 = { type: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2' } as const;

const desks = new WeakMap<FullSite, Promise<Desk>>();

function deskOf(site: FullSite): Promise<Desk> {
  const known = desks.get(site) ?? openDesk(site);
  desks.set(site, known);
  return known;
}

async function openDesk(site: FullSite): Promise<Desk> {
  const { database } = site.identity;
  const [owner, editor, viewer] = [await site.account(), await site.account(), await site.account()];
  const { id, slug } = await makeWorkspace(database, owner.id, 'Rates desk');
  const { slug: emptySlug } = await makeWorkspace(database, owner.id, 'Sales');
  const names = ['visitors by region', 'sales-2026', 'returns', 'orders', 'staff', 'energy', 'rent'];
  const files: string[] = [];
  for (const name of names) files.push(await makeCsvFile(database, id, owner.id, undefined, `${name}.csv`));
  const shared = { workspace: id, visibility: 'workspace', source: CO2, createdAt: '2026-01-05T09:00:00Z' } as const;
  const done = { finishedAt: '2026-01-05T10:00:00Z', wql: 0.02 };
  const [first = ''] = await addShownForecasts(database, [
    { ...shared, ...done, owner: owner.id, title: 'CO₂ until spring', horizon: 12 },
    { ...shared, ...done, owner: viewer.id, horizon: 24 },
    { ...shared, owner: editor.id, title: 'Rates over the winter', status: 'running', done: 1, horizon: 5 },
    { ...shared, ...done, owner: editor.id, visibility: 'private', horizon: 3 },
  ]);
  const editorId = await makeMember(database, id, editor.id, {
    role: 'editor',
    csv_scope_mode: 'selected',
    csv_scope_ids: files.slice(1, 2),
    forecasts_scope_mode: 'selected',
    forecasts_scope_ids: [first],
  });
  await makeMember(database, id, viewer.id);
  await makeInvitation(database, { workspaceId: id, email: 'new.colleague@example.org' });
  await sql`UPDATE workspace SET member_credits = 500 WHERE id = ${id}`.execute(database.query());
  await sql`INSERT INTO member_charge (forecast_id, workspace_id, account_id, month, credits)
    VALUES (${first}, ${id}, ${editor.id}, ${new Date().toISOString().slice(0, 7)}, 120)`.execute(database.query());
  const { id: personal } = await personalWorkspace(database, viewer.id);
  await makeInvitation(database, { workspaceId: personal, email: owner.email });
  return { slug, owner, editor, viewer, editorId, emptySlug };
}

type Role = 'owner' | 'editor' | 'viewer';

/** Opens a page of the desk as one of its members. */
async function openAs(page: Page, site: FullSite, role: Role, below: string, title: string): Promise<Desk> {
  const desk = await deskOf(site);
  await giveCookie(page, site, (await withSession(site.identity, desk[role].email)).cookie);
  await page.goto(`${site.url}/workspaces${below.replace('*', desk.slug).replace('@', desk.editorId)}`);
  await heading(page, title);
  return desk;
}

const view = (name: string, role: Role, below: string, title: string): ConsoleView => ({
  name: `workspaces-${name}`,
  open: async (page, site) => void (await openAs(page, site, role, below, title)),
});

export const workspacesViews: readonly ConsoleView[] = [
  {
    name: 'workspaces-newcomer',
    async open(page, site) {
      await page.goto(`${site.url}/workspaces`);
      await heading(page, 'Workspaces');
    },
  },
  view('list', 'owner', '', 'Workspaces'),
  view('owner', 'owner', '/*', 'Rates desk'),
  view('viewer', 'viewer', '/*', 'Rates desk'),
  view('invite', 'owner', '/*/invite', 'Invite a colleague'),
  view('invite-denied', 'viewer', '/*/invite', 'You cannot invite members'),
  view('member', 'owner', '/*/members/@', 'Change a membership'),
  view('remove', 'owner', '/*/members/@/remove', 'Remove this member?'),
  view('settings', 'owner', '/*/settings', 'Name and spending'),
  view('transfer', 'owner', '/*/transfer', 'Transfer this workspace'),
  view('delete', 'owner', '/*/delete', 'Delete this workspace?'),
  view('leave', 'viewer', '/*/leave', 'Leave this workspace?'),
  {
    name: 'workspaces-empty',
    async open(page, site) {
      const { emptySlug } = await deskOf(site);
      await openAs(page, site, 'owner', `/${emptySlug}`, 'Sales');
    },
  },
  {
    name: 'workspaces-settings-refused',
    async open(page, site) {
      await openAs(page, site, 'owner', '/*/settings', 'Name and spending');
      await fillField(page, 'Credits for each member', 'many');
      await press(page, 'Save');
      await waitForText(page, 'There is a problem');
    },
  },
];

/** Tests the pages of workspaces. */
export function testWorkspaces(open: () => FullSite): void {
  test('without scripts, a team is made: invited, joined, transferred with the receiver’s yes and deleted', {
    skip: noBrowser,
  }, async () => {
    const site = open();
    const [owner, colleague] = [await site.account(), await site.account()];
    const page = await newPage();
    await giveCookie(page, site, (await withSession(site.identity, owner.email)).cookie);
    await page.goto(`${site.url}/workspaces`);
    await fillField(page, 'Name', 'Energy');
    await press(page, 'Create the workspace');
    await heading(page, 'Energy');
    await follow(page, 'Invite a colleague');
    await fillField(page, 'Email address', colleague.email);
    await press(page, 'Send the invitation');
    await waitForText(page, 'The invitation is on its way.', '.notice');

    const other = await newPage();
    await giveCookie(other, site, (await withSession(site.identity, colleague.email)).cookie);
    await other.goto(`${site.url}/workspaces`);
    await waitForText(other, `${owner.email} invites you as a viewer`);
    await press(other, 'Join Energy');
    await waitForText(other, 'You are now a member of the workspace.', '.notice');
    const { pathname } = new URL(other.url());
    await other.goto(`${site.url}${pathname}/delete`);
    await heading(other, 'You cannot delete this workspace');

    await page.goto(`${site.url}${pathname}/transfer`);
    await press(page, 'Offer the workspace');
    await waitForText(page, `${colleague.email} has not answered yet.`, '.note');
    await other.goto(`${site.url}${pathname}`);
    await press(other, 'Become the owner of Energy');
    await waitForText(other, 'You are now the owner of the workspace.', '.notice');
    await follow(other, 'Delete it');
    await waitForText(other, 'The access of 1 other member.');
    await press(other, 'Delete the workspace');
    await waitForText(other, 'The workspace is deleted, with everything in it.', '.notice');
    await page.goto(`${site.url}${pathname}`);
    await heading(page, 'This is not shared with you');
  });

  test('an owner picks what a member can use from a list that follows the search', { skip: noBrowser }, async () => {
    const site = open();
    const page = await newPage({ javaScriptEnabled: true });
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    const { editor, slug } = await openAs(page, site, 'owner', '/*', 'Rates desk');
    await waitForText(page, '120 of 500 credits used this month');
    assert.deepEqual(await findViolations(page), []);
    await page.goto(`${site.url}/workspaces/${slug}/members/${(await deskOf(site)).editorId}`);
    await heading(page, 'Change a membership');
    await waitForText(page, '1 file picked.');
    await page.fill('#csv_find', 'visitors');
    const shown = `[...document.querySelectorAll('.part:first-of-type .picks > .choice:not([hidden])')].map((one) => one.querySelector('label').firstChild.textContent.trim())`;
    assert.deepEqual(await evaluate(page, shown), ['sales-2026.csv', 'visitors by region.csv'], 'what is picked stays');
    await page.uncheck('.part:first-of-type .picks input:checked');
    await page.fill('#csv_find', 'VISITORS reg');
    assert.deepEqual(await evaluate(page, shown), ['visitors by region.csv']);
    await page.check('.part:first-of-type .picks .choice:not([hidden]) input');
    await waitForText(page, '1 file picked.');
    await page.check('#forecasts_mode-all');
    assert.deepEqual(await findViolations(page), []);
    await press(page, 'Save');
    await waitForText(page, 'The change is saved.', '.notice');
    const { rows } = await sql<{ forecasts_scope_mode: string; name: string }>`
      SELECT member.forecasts_scope_mode, csv_file.name FROM workspace_member AS member
      JOIN csv_file ON csv_file.id = ANY (member.csv_scope_ids) AND cardinality(member.csv_scope_ids) = 1
      WHERE member.account_id = ${editor.id} AND member.role = 'editor'`.execute(site.identity.database.query());
    assert.deepEqual(rows, [{ forecasts_scope_mode: 'all', name: 'visitors by region.csv' }]);
    assert.deepEqual(problems, []);
  });
}
