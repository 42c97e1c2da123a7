import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { MAX_WEBHOOKS } from '../../../src/contract/index.ts';
import { newId } from '../../../src/platform/index.ts';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { clickControl, fillField, shownText, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { makeWebhook, type OwnerOfWebhook } from '../../support/notifications/make-webhook.ts';
import { replyWith, startReceiver } from '../../support/notifications/receiver.ts';
import { makeMember, makeWorkspace } from '../../support/workspaces/workspaces.ts';
import { follow, heading, press } from '../steps.ts';
import { addCookies } from './caller.ts';
import type { ConsoleView } from './view.ts';

const WEBHOOKS = '/auth/account/webhooks';
const HOUR_MS = 3_600_000;
const HOSTILE = `<script>alert("webhook")</script>\n${'A long reply. '.repeat(30)}`.slice(0, 500);

type Spec = Parameters<FullSite['account']>[0];

interface Attempt {
  readonly status?: number;
  readonly error?: string;
  readonly reply?: string;
  readonly duration?: number | null;
}

interface Sent {
  readonly type?: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
  readonly attempts?: readonly Attempt[];
  /** The hours until the next attempt. */
  readonly next?: number;
  readonly isReplay?: boolean;
  readonly data?: object;
}

const FORECAST = { forecast_id: 'ef_01KA2V5KZQ0000000000000000', status: 'completed', result_url: '/api/v1/…' };
const QUESTION = { forecast_id: 'evt_01KA2V5KZQ0000000000000000', status: 'resolved', resolution_url: '/api/v1/…' };
const MATCH = { alert_id: 'flt_01KA2V5KZQ0000000000000000', session: '2026-03-02', matches_url: '/api/v1/…' };
const REFUSED: Attempt = { status: 503, reply: 'Try again later.' };

/** A delivery in each state, newest first. */
const EVERY_STATE: readonly Sent[] = [
  { state: 'pending', type: 'webhook.test', next: 0 },
  {
    state: 'pending',
    attempts: [REFUSED, { error: 'timeout', duration: 10_000 }, { error: 'interrupted', duration: null }],
    next: 5,
  },
  { state: 'delivered', attempts: [REFUSED, { status: 200, reply: HOSTILE }], isReplay: true },
  { state: 'failed', type: 'event.resolved', data: QUESTION, attempts: Array.from({ length: 10 }, () => REFUSED) },
  { state: 'failed', type: 'webhook.test', attempts: [{ error: 'unreachable', duration: 31 }] },
  { state: 'skipped', type: 'screener.matched', data: MATCH, attempts: [{ error: 'not_public', duration: 4 }] },
  { state: 'skipped', type: 'receipt.stamped' },
  { state: 'delivered', type: 'forecast.outcome', attempts: [{ status: 204, reply: '' }] },
];

/** Stores what was sent to a webhook. */
async function addDeliveries({ identity }: FullSite, webhookId: string, sent: readonly Sent[]): Promise<void> {
  const now = Date.now();
  for (const [ago, { type = 'forecast.completed', state, attempts = [], next, isReplay, data = FORECAST }] of [
    ...sent.entries(),
  ]) {
    const createdAt = new Date(now - ago * 7 * HOUR_MS);
    const event = { id: newId('oev'), type, created_at: createdAt.toISOString(), sequence: sent.length - ago };
    const stored = attempts.map(({ status, error, reply, duration = 120 }, i) => ({
      number: i + 1,
      started_at: new Date(createdAt.getTime() + i * 60_000).toISOString(),
      duration_ms: duration,
      status_code: status ?? null,
      error: error ?? null,
      reply: reply ?? null,
    }));
    const body = JSON.stringify({ ...event, data: type === 'webhook.test' ? { webhook_id: webhookId } : data });
    await sql`
      INSERT INTO webhook_delivery (id, webhook_id, event_id, type, body, replays, state, attempt, attempts,
        next_attempt_at, created_at, ended_at)
      VALUES (${newId('dlv', createdAt.getTime())}, ${webhookId}, ${event.id}, ${type}, ${body},
        ${isReplay ? newId('dlv') : null}, ${state}, ${attempts.length}, ${JSON.stringify(stored)}::text::jsonb,
        ${next === undefined ? null : new Date(now + next * HOUR_MS)}, ${createdAt},
        ${state === 'pending' ? null : createdAt})`.execute(identity.database.query());
  }
}

const LONG_URL = `https://hooks.example.org/services/${'almanac-events-'.repeat(8)}?room=rates`;

/** Stores webhooks in every state. Returns their ids: one that works, one that fails, one that is off. */
async function addWebhooks(site: FullSite, owner: OwnerOfWebhook): Promise<readonly string[]> {
  const { database } = site.identity;
  const ids = [
    await makeWebhook(database, owner),
    await makeWebhook(database, owner),
    await makeWebhook(database, owner),
  ];
  const [working = '', failing = '', off = ''] = ids;
  await sql`
    UPDATE webhook SET name = 'Reports of the trading desk, with a rather long name', last_success_at = now(),
      types = '{forecast.completed,forecast.failed,forecast.outcome,receipt.stamped,event.resolved}'
    WHERE id = ${working}`.execute(database.query());
  await sql`
    UPDATE webhook SET name = NULL, url = ${LONG_URL}, failures = 12, failing_since = now() - interval '2 days',
      last_success_at = now() - interval '3 days', rotated_at = now() - interval '5 days', created_at = now() - interval '80 days' WHERE id = ${failing}`.execute(
    database.query(),
  );
  await sql`
    UPDATE webhook SET name = 'Old notebook', enabled = false, off_reason = 'failing', failures = 34,
      failing_since = now() - interval '9 days' WHERE id = ${off}`.execute(database.query());
  await addDeliveries(site, failing, EVERY_STATE);
  await addDeliveries(site, off, EVERY_STATE.slice(3, 6));
  return ids;
}

interface Opened {
  /** The webhooks by their place in the list: `{0}` in the path is the first one. */
  readonly path: string;
  readonly title: string;
  readonly spec?: Spec | null;
  readonly fill?: (site: FullSite, accountId: string) => Promise<readonly string[]>;
  readonly act?: (page: Page) => Promise<void>;
}

const fillAll = (site: FullSite, accountId: string) => addWebhooks(site, { accountId });
const fillNothing = async () => [];

const view = (name: string, { path, title, spec = {}, fill = fillAll, act }: Opened): ConsoleView => ({
  name: `webhooks-${name}`,
  async open(page, site) {
    let ids: readonly string[] = [];
    if (spec !== null) {
      const { id, email } = await site.account(spec);
      await addCookies(page, site, await withSession(site.identity, email));
      ids = await fill(site, id);
    }
    await page.goto(`${site.url}${WEBHOOKS}${path.replace(/\{(\d)\}/, (_, i) => ids[Number(i)] ?? '')}`);
    await act?.(page);
    await heading(page, title);
  },
});

const HOST = 'hooks.example.org';

/** Opens everything that is closed at first. */
async function openDetails(page: Page): Promise<void> {
  await evaluate(page, `document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
}

async function makeOne(page: Page, url = 'https://hooks.example.org/almanac'): Promise<void> {
  await fillField(page, 'URL', url);
  await fillField(page, 'Name', 'Nightly report');
  await press(page, 'Make the webhook');
}

/** Opens a page of the webhooks of a workspace, as its owner or as another member. */
const inWorkspace = (name: string, path: string, title: string, { asMember = false } = {}): ConsoleView => ({
  name: `webhooks-workspace-${name}`,
  async open(page, site) {
    const [owner, member] = [await site.account(), await site.account()];
    const { id: workspaceId, slug } = await makeWorkspace(site.identity.database, owner.id, 'Rates desk');
    await makeMember(site.identity.database, workspaceId, member.id, { role: 'editor' });
    const ids = await addWebhooks(site, { workspaceId });
    await addCookies(page, site, await withSession(site.identity, (asMember ? member : owner).email));
    await page.goto(`${site.url}/workspaces/${slug}/webhooks${path.replace('{1}', ids[1] ?? '')}`);
    await heading(page, title);
  },
});

export const webhooksViews: readonly ConsoleView[] = [
  view('newcomer', { path: '', title: 'Webhooks', spec: null }),
  view('empty', { path: '', title: 'Webhooks', fill: fillNothing }),
  view('list', { path: '', title: 'Webhooks' }),
  view('free', { path: '', title: 'Webhooks', spec: { plan: 'free' }, fill: fillNothing }),
  view('free-list', { path: '', title: 'Webhooks', spec: { plan: 'free' } }),
  view('free-one', { path: '/{1}', title: HOST, spec: { plan: 'free' } }),
  view('full', {
    path: '',
    title: 'Webhooks',
    async fill({ identity }, accountId) {
      for (let i = 0; i < MAX_WEBHOOKS; i++) await makeWebhook(identity.database, { accountId });
      return [];
    },
  }),
  view('wrong', { path: '', title: 'Webhooks', act: (page) => makeOne(page, 'http://169.254.169.254/"><b>latest') }),
  view('made', { path: '', title: 'Your new webhook', fill: fillNothing, act: makeOne }),
  view('failing', { path: '/{1}', title: HOST }),
  view('failing-open', { path: '/{1}', title: HOST, act: openDetails }),
  view('off', { path: '/{2}', title: 'Old notebook' }),
  view('nothing-sent', { path: '/{0}', title: 'Reports of the trading desk, with a rather long name' }),
  view('settings-wrong', {
    path: '/{0}',
    title: 'Reports of the trading desk, with a rather long name',
    async act(page) {
      await openDetails(page);
      await fillField(page, 'URL', 'ftp://files.example.org');
      await press(page, 'Save');
    },
  }),
  view('rotate', { path: '/{2}/rotate', title: 'Rotate the secret of Old notebook?' }),
  view('rotated', {
    path: '/{2}/rotate',
    title: 'The new secret',
    act: (page) => press(page, 'Rotate the secret'),
  }),
  view('delete', { path: '/{1}/delete', title: `Delete the webhook ${HOST}?` }),
  view('missing', { path: '/whk_01KA2V5KZQ0000000000000000', title: 'There is nothing here' }),
  inWorkspace('list', '', 'Webhooks'),
  inWorkspace('one', '/{1}', HOST),
  inWorkspace('delete', '/{1}/delete', `Delete the webhook ${HOST}?`),
  inWorkspace('denied', '/{1}', 'You cannot see these webhooks', { asMember: true }),
];

/** Tests the pages of webhooks. */
export function testWebhooks(open: () => FullSite): void {
  test('without scripts, a webhook is made, tested, replayed, turned off and deleted', {
    skip: noBrowser,
  }, async () => {
    const site = open();
    await using receiver = await startReceiver(replyWith(200, '<b>Thank you</b>'));
    const page = await newPage();
    const { email } = await site.account();
    await addCookies(page, site, await withSession(site.identity, email));
    await page.goto(`${site.url}/auth/account`);
    await follow(page, 'Webhooks');
    await makeOne(page, `${receiver.origin}/almanac`);
    await heading(page, 'Your new webhook');
    const secret = /whsec_\S+/.exec(String(await shownText(page)))?.[0];
    assert.ok(secret);
    await follow(page, 'I have copied it');
    await heading(page, 'Nightly report');
    assert.ok(!(await shownText(page))?.includes(secret), 'the secret is shown once');
    await press(page, 'Send a test');
    await waitForText(page, 'The test is on its way.', '.notice');
    await refreshUntil(page, 'Attempt 1: status 200');
    await evaluate(page, `document.querySelector('.deliveries details').open = true`);
    await waitForText(page, '<b>Thank you</b>', '.attempts');
    await clickControl(page, { role: 'button', name: 'Replay' });
    await waitForText(page, 'The event is sent again.', '.notice');
    await refreshUntil(page, 'a replay of an earlier delivery Attempt 1: status 200');
    await press(page, 'Turn off');
    await waitForText(page, 'The webhook is off.', '.notice');
    await follow(page, 'Delete');
    await press(page, 'Delete the webhook');
    await waitForText(page, 'The webhook is deleted', '.notice');
    await waitForText(page, 'You have no webhooks');
    assert.ok(receiver.requests.length >= 2);
  });
}

/** Follows the link that shows the page again until it has a text. */
async function refreshUntil(page: Page, text: string): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await shownText(page))?.includes(text)) {
    assert.ok(Date.now() < end, `The page does not show: ${text}`);
    await follow(page, 'Refresh');
  }
}
