import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage, noBrowser } from '../../support/api/browser.ts';
import { fillField, waitForText } from '../../support/api/page-controls.ts';
import { evaluate } from '../../support/api/page-state.ts';
import { type Credentials, withGuest, withSession } from '../../support/identity/callers.ts';
import type { FullSite } from '../../support/identity/full-site.ts';
import { EVENTS, eventRequest, NO, YES } from '../../support/scout/events.ts';
import { readContentCid, stampProof } from '../../support/scout/proofs.ts';
import { follow, heading, press } from '../steps.ts';
import { addCookies, type Call, callerOf, type Made, newForecast } from './caller.ts';
import { type ConsoleView, findViolations } from './view.ts';

/** An account with a forecast, an open question with revisions, and resolved ones. */
interface Asker {
  readonly credentials: Credentials;
  readonly call: Call;
  readonly forecast: string;
  readonly open: string;
  readonly resolved: string;
  readonly annulled: string;
}

async function makeAsker(site: FullSite): Promise<Asker> {
  const { email } = await site.account();
  const credentials = await withSession(site.identity, email);
  const call = callerOf(site, credentials);
  const open = await call('POST', EVENTS, eventRequest({ probability: 0.3, visibility: 'public' }));
  for (const [i, probability] of [0.45, 0.6, 0.8].entries())
    await call('POST', `${EVENTS}/${open.slug}/revisions`, {
      probability,
      input_cutoff_at: '2024-02-01T00:00:00Z',
      note: `Report ${i + 1} of a competitor`,
    });
  const resolved: Made[] = [];
  for (const [i, body] of [YES, YES, NO, YES, NO, NO].entries()) {
    const question = `Will the river Elbe rise above ${i + 2} meters in Dresden?`;
    const entity = { type: 'river', name: 'Elbe' };
    const made = await call(
      'POST',
      EVENTS,
      eventRequest({ question, entity, category: 'floods', probability: [0.9, 0.7, 0.2, 0.6, 0.4, 0.1][i] }),
    );
    const { database } = site.identity;
    if (i % 2 === 0) await stampProof(database, await readContentCid(database, made.forecast_id), new Date());
    await call('POST', `${EVENTS}/${made.slug}/resolve`, { ...body, evidence: { text: 'The gauge at the bridge' } });
    resolved.push(made);
  }
  const annulled = await call('POST', EVENTS, eventRequest({ question: 'Will the moot case be decided this year?' }));
  await call('POST', `${EVENTS}/${annulled.slug}/resolve`, { ...YES, outcome: 'annulled' });
  const forecast = await newForecast(call);
  await call('POST', '/v1/scout/from-forecast', { forecast_id: forecast, thresholds: [118], op: 'gt' });
  return { credentials, call, forecast, open: open.slug, resolved: resolved[0]?.slug ?? '', annulled: annulled.slug };
}

/** One account for all views of a site. */
const askers = new WeakMap<FullSite, Promise<Asker>>();

function askerOf(site: FullSite): Promise<Asker> {
  const known = askers.get(site) ?? makeAsker(site);
  askers.set(site, known);
  return known;
}

const view = (name: string, path: (asker: Asker) => string, title: string): ConsoleView => ({
  name: `questions-${name}`,
  async open(page, site) {
    const asker = await askerOf(site);
    await addCookies(page, site, asker.credentials);
    await page.goto(`${site.url}${path(asker)}`);
    await heading(page, title);
  },
});

const QUESTION = 'Will Acme beat the consensus of the third quarter?';

export const questionsViews: readonly ConsoleView[] = [
  view('list', () => '/questions', 'Questions'),
  view('list-filtered', () => '/questions?category=floods&sort=deadline', 'Questions'),
  view('list-none', () => '/questions?category=nothing', 'Questions'),
  view('list-refused', () => '/questions?status=odd&deadline_from=soon', 'Questions'),
  view('open', ({ open }) => `/questions/${open}`, QUESTION),
  view('resolved', ({ resolved }) => `/questions/${resolved}`, 'river Elbe'),
  view('annulled', ({ annulled }) => `/questions/${annulled}`, 'moot case'),
  view('new', () => '/questions/new', 'Ask a question'),
  view('new-rule', () => '/questions/new?source=market&symbol=AAPL&timeframe=1D', 'Ask a question'),
  view('revise', ({ open }) => `/questions/${open}/revise`, 'Revise the probability'),
  view('resolve', ({ open }) => `/questions/${open}/resolve`, 'Resolve this question'),
  view('annul', ({ open }) => `/questions/${open}/annul`, 'Annul this question?'),
  view('closed', ({ resolved }) => `/questions/${resolved}/revise`, 'This question is closed'),
  view('scoreboard', () => '/scoreboard?group_by=category', 'Scoreboard'),
  view('scoreboard-none', () => '/scoreboard?category=nothing', 'Scoreboard'),
  view(
    'picker',
    ({ forecast }) => `/forecasts/${forecast}/questions?op=lte&step=4&threshold=121`,
    'Questions from this forecast',
  ),
  {
    name: 'questions-guest',
    async open(page, site) {
      await addCookies(page, site, await withGuest(site.identity));
      await page.goto(`${site.url}/questions`);
      await heading(page, 'Questions');
    },
  },
];

/** Tests questions in the browser: asked, revised, resolved and scored without a script, and picked on the fan with one. */
export function testQuestions(open: () => FullSite): void {
  test('without scripts, a question is asked, revised, resolved and scored', { skip: noBrowser }, async () => {
    const site = open();
    const { email } = await site.account();
    const page = await newPage();
    await addCookies(page, site, await withSession(site.identity, email));
    await page.goto(`${site.url}/questions/new`);
    await fillField(page, 'Question', 'Will the new bridge open before the winter?');
    await fillField(page, 'Headline', 'The new bridge opens');
    await fillField(page, 'Probability of yes, in percent', '70');
    await fillField(page, 'About', 'The new bridge');
    await fillField(page, 'Category', 'traffic');
    await press(page, 'Ask the question');
    await waitForText(page, 'Deadline: choose a day.');
    await page.fill('#deadline', new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10));
    await press(page, 'Ask the question');
    await heading(page, 'Will the new bridge open before the winter?');
    await follow(page, 'Revise');
    await fillField(page, 'Probability of yes, in percent', '85');
    await press(page, 'Revise');
    await waitForText(page, 'After 1 revision it is 85%.');
    await follow(page, 'Resolve');
    await page.check('#outcome-yes');
    await fillField(page, 'What happened', 'It opened on time.');
    await fillField(page, 'Source', 'The city');
    await press(page, 'Resolve it for good');
    await waitForText(page, 'Revision 2 gave 85%, and the outcome was yes.');
    await page.goto(`${site.url}/scoreboard?author=me`);
    await waitForText(page, '1 question was scored; 1 answer was yes.');
  });

  test('a threshold is picked on the fan with keys and pointer, and asked', { skip: noBrowser }, async () => {
    const site = open();
    const { email } = await site.account();
    const credentials = await withSession(site.identity, email);
    const slug = await newForecast(callerOf(site, credentials));
    const page = await newPage({ javaScriptEnabled: true });
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await addCookies(page, site, credentials);
    await page.goto(`${site.url}/forecasts/${slug}/questions`);
    const slider = page.locator('.picker [role=slider]');
    await slider.waitFor();
    const readValue = () => evaluate<number>(page, `Number(document.getElementById('threshold').value)`);
    const readOdds = () => evaluate<number>(page, `parseFloat(document.querySelector('#odds .figure').textContent)`);
    const suggested = await readValue();
    await page.selectOption('#step', '1');
    await page.waitForURL(/[?&]step=1\b/);
    const first = await readValue();
    assert.ok(first !== 0 && first !== suggested, 'a suggested value follows the period');
    await page.selectOption('#step', '4');
    await page.waitForURL(/[?&]step=4\b/);
    const [value, odds] = [await readValue(), await readOdds()];
    await slider.focus();
    await page.keyboard.press('PageUp');
    assert.ok((await readValue()) > value);
    assert.ok((await readOdds()) < odds, 'a higher value is exceeded less often');
    const box = await slider.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.35);
    const picked = await readValue();
    await waitForText(page, `be above ${picked}`, '#odds');
    assert.ok(page.url().includes(`threshold=${picked}`), 'the address follows');
    assert.deepEqual(await findViolations(page), []);
    await page.selectOption('#op', 'lt');
    await waitForText(page, `be below ${picked}`, '#odds');
    await page.fill('#threshold', '121.5,0');
    await waitForText(page, '– Value: enter a number', '#odds');
    await waitForText(page, 'Value: enter a number', '#threshold-error');
    await page.fill('#threshold', '121,5');
    await waitForText(page, 'be below 121.5', '#odds');
    assert.equal(await page.locator('#threshold-error').count(), 0);
    assert.match(String(await page.locator('tr[data-chosen]').textContent()), /^121\.5.*%Chosen$/);
    const before = await page.locator('#step-words').textContent();
    await page.selectOption('#step', '1');
    await page.locator('#step-words', { hasNotText: String(before) }).waitFor();
    assert.equal(await readValue(), 121.5, 'a value that was chosen stays in another period');
    await page.fill('#threshold', String(picked));
    await waitForText(page, `be below ${picked}`, '#odds');
    const last = await page.locator('#step option').last().getAttribute('value');
    const edge = await slider.boundingBox();
    assert.ok(edge);
    await slider.click({ position: { x: edge.width * 0.95, y: edge.height * 0.35 } });
    await page.waitForURL((url) => url.searchParams.get('step') === last);
    await page.fill('#threshold', String(picked));
    await waitForText(page, `be below ${picked}`, '#odds');
    await press(page, 'Ask the question');
    await waitForText(page, 'The question is open.', '.notice');
    await follow(page, `Will Rain in Bergen be below ${picked}`);
    await waitForText(page, 'The first probability comes from the forecast Rain in Bergen');
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(errors, []);
  });
}
