import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { changeLock } from '../../../src/identity/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { fillIn, follow, heading, press } from '../steps.ts';
import { addCookies } from './caller.ts';
import { type ConsoleView, findViolations } from './view.ts';

const DOMAIN = 'administered.example';

interface Administered {
  readonly administrator: string;
  readonly ordinary: { readonly id: string; readonly email: string };
  readonly locked: { readonly id: string; readonly email: string };
}

/** One administrator and the accounts that it sees, for all views of a site. */
const scenes = new WeakMap<FullSite, Promise<Administered>>();

function sceneOf(site: FullSite): Promise<Administered> {
  const known = scenes.get(site) ?? makeScene(site);
  scenes.set(site, known);
  return known;
}

async function makeScene(site: FullSite): Promise<Administered> {
  const { email: administrator } = await site.account({ email: `ada@${DOMAIN}`, administrator: true });
  const ordinary = await site.account({ email: `a.person.with.quite.a.long.address@${DOMAIN}`, plan: 'free' });
  const locked = await site.account({ email: `spam@${DOMAIN}`, verified: false, plan: 'free' });
  await changeLock(site.identity, locked.email, true);
  return { administrator, ordinary, locked };
}

async function signInAs(page: Page, site: FullSite, email: string): Promise<void> {
  await addCookies(page, site, await withSession(site.identity, email));
}

type PathOf = string | ((scene: Administered) => string);

/** Returns a view that an administrator opens. */
function view(name: string, path: PathOf, title: string | ((scene: Administered) => string)): ConsoleView {
  return {
    name,
    async open(page, site) {
      const scene = await sceneOf(site);
      await signInAs(page, site, scene.administrator);
      await page.goto(`${site.url}${typeof path === 'string' ? path : path(scene)}`);
      await heading(page, typeof title === 'string' ? title : title(scene));
    },
  };
}

const accountOf = ({ ordinary }: Administered, change = '') => `/admin/users/${ordinary.id}${change}`;
const lockedOf = ({ locked }: Administered, change = '') => `/admin/users/${locked.id}${change}`;

/** Every state of the pages of administrators. */
export const adminViews: readonly ConsoleView[] = [
  view('admin-service', '/admin', 'State of the service'),
  view('admin-accounts', `/admin/users?q=${DOMAIN}`, 'Accounts'),
  view('admin-accounts-none', '/admin/users?q=no-such-address', 'Accounts'),
  view('admin-accounts-wrong-filter', '/admin/users?plan=gold', 'Accounts'),
  view('admin-account', accountOf, ({ ordinary }) => ordinary.email),
  view('admin-account-locked', lockedOf, ({ locked }) => locked.email),
  view('admin-account-missing', '/admin/users/usr_0', 'There is nothing here'),
  view('admin-lock', (scene) => accountOf(scene, '/lock'), 'Lock this account?'),
  view('admin-unlock', (scene) => lockedOf(scene, '/lock'), 'Unlock this account?'),
  view('admin-administrator', (scene) => accountOf(scene, '/administrator'), 'Make this account an administrator?'),
  view('admin-ledger', '/admin/ledger', 'Ledger'),
  view('admin-ledger-checked', '/admin/ledger?check=now', 'Ledger'),
  {
    name: 'admin-refused',
    async open(page, site) {
      await signInAs(page, site, (await sceneOf(site)).ordinary.email);
      await page.goto(`${site.url}/admin`);
      await heading(page, 'Only for administrators');
    },
  },
];

/** Tests the pages of administrators. */
export function testAdmin(open: () => FullSite): void {
  test('the state of the service updates while the page is open', { skip: noBrowser }, async () => {
    const site = open();
    const { email } = await site.account({ administrator: true });
    const page = await newPage({ javaScriptEnabled: true });
    const problems: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
    // The page asks again every ten seconds; the test does not wait that long.
    await page.addInitScript(
      'const real = setInterval; window.setInterval = (work, ms) => real(work, ms === 10000 ? 100 : ms);',
    );
    await signInAs(page, site, email);
    await page.goto(`${site.url}/admin`);
    await heading(page, 'State of the service');
    await waitForText(page, 'Updates every 10 seconds.');
    assert.deepEqual(await findViolations(page), []);
    const { database } = site.identity;
    await sql`
      INSERT INTO queue.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds,
        deletion_seconds, partition, table_name)
      SELECT 'late', policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds,
        deletion_seconds, partition, table_name FROM queue.queue WHERE name = 'mail'`.execute(database.query());
    await sql`INSERT INTO queue.job (name, start_after) VALUES ('late', now() - interval '2 hours')`.execute(
      database.query(),
    );
    await waitForText(page, 'late: 1 job ready, the oldest for 2 h 0 min.', '#service');
    await waitForText(page, 'attention', '#announcement');
    await page.click('#pause');
    await waitForText(page, 'Updates are paused.');
    await sql`DELETE FROM queue.job WHERE name = 'late'`.execute(database.query());
    await page.click('#pause');
    await page.locator('#service', { hasText: 'late: 1 job' }).waitFor({ state: 'detached' });
    await sql`DELETE FROM queue.queue WHERE name = 'late'`.execute(database.query());
    assert.equal(await evaluate(page, 'document.activeElement.id'), 'pause');
    assert.deepEqual(problems, []);
  });

  test('without scripts, an administrator finds an account, locks it, and its owner learns why', {
    skip: noBrowser,
  }, async () => {
    const site = open();
    const { email: administrator } = await site.account({ administrator: true });
    const owner = await site.account({ email: 'to-be-locked@example.org' });
    const page = await newPage();
    await signInAs(page, site, administrator);
    await page.goto(`${site.url}/admin`);
    await follow(page, 'Accounts');
    await heading(page, 'Accounts');
    await page.fill('#q', 'TO-BE-locked');
    await press(page, 'Search');
    await follow(page, owner.email);
    await heading(page, owner.email);
    await page.selectOption('#plan', 'enterprise');
    await press(page, 'Change the plan');
    await waitForText(page, 'The account has its new plan.', '.notice');
    await follow(page, 'Lock');
    await heading(page, 'Lock this account?');
    await press(page, 'Lock the account');
    await waitForText(page, 'The account is locked.', '.notice');
    const visitor = await newPage();
    await visitor.goto(`${site.url}/auth/sign-in`);
    await fillIn(visitor, owner.email);
    await waitForText(visitor, 'An administrator locked this account.');
    await follow(page, 'Unlock');
    await press(page, 'Unlock the account');
    await waitForText(page, 'The account is unlocked.', '.notice');
    await fillIn(visitor, owner.email);
    await visitor.waitForURL(`${site.url}/auth/account`);
  });
}
