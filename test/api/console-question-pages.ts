import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DAY_MS } from '../../src/calendar/index.ts';
import { type ConsoleBrowser, hiddenField, openBrowser } from '../support/api/console-browser.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import { pageVisitor } from '../support/identity/page-visitor.ts';
import { EVENTS, type EventView, eventRequest, NO, YES } from '../support/scout/events.ts';
import { readContentCid, stampProof } from '../support/scout/proofs.ts';
import { DAILY_CSV, makeCsvFile } from '../support/workspaces/csv-files.ts';
import { makeMember, makeWorkspace } from '../support/workspaces/workspaces.ts';

let service: ForecastService;
let owner: ConsoleBrowser;

const soon = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const ASKED = {
  question: 'Will Acme open a second factory this year?',
  headline: 'Acme opens a second factory',
  probability: '62,5',
  deadline: soon(20),
  audience: 'private',
  entity_name: 'Acme',
  entity_type: 'company',
  ticker: '',
  category: 'Real estate',
};

async function ask(fields: object = {}, browser = owner): Promise<EventView> {
  const { data, status, body } = await browser.caller.request<EventView>('POST', EVENTS, eventRequest(fields));
  assert.equal(status, 201, body);
  return data;
}

const read = async ({ slug }: Pick<EventView, 'slug'>) =>
  (await owner.caller.request<EventView>('GET', `${EVENTS}/${slug}`)).data;

/** Tests the list of questions, the page of a question, its actions and the scoreboard. */
export function testQuestionPages(open: () => ForecastService): void {
  describe('pages of questions', () => {
    before(async () => {
      service = open();
      owner = await openBrowser(service, 'pro');
    });

    test('visitors without an account learn what the pages are for, with the status of the API', async () => {
      const [newcomer, guest] = [pageVisitor(service.app), await openBrowser(service, 'guest')];
      for (const path of ['/questions', '/scoreboard', '/questions/new']) {
        for (const [browser, status] of [
          [newcomer, 401],
          [guest, 403],
        ] as const) {
          const page = await browser.get(path);
          assert.equal(page.status, status, path);
          assert.match(page.text, /This needs an account/);
          assert.match(page.body, /href="\/auth\/sign-up\?return_to=%2F(questions|scoreboard)/);
          assert.doesNotMatch(page.body, /id="filters"|>Ask a question</);
        }
        assert.equal(newcomer.cookies.size, 0, 'looking stores nothing');
      }
      const shown = await ask({ visibility: 'public' });
      const secret = await ask();
      for (const browser of [newcomer, guest]) {
        const page = await browser.get(`/questions/${shown.slug}`);
        assert.equal(page.status, 200);
        assert.doesNotMatch(page.body, /Revise|Resolve …/);
      }
      assert.equal((await newcomer.get(`/questions/${secret.slug}`)).status, 404);
      const refused = await guest.get(`/questions/${secret.slug}`);
      const missing = await guest.get('/questions/nothing-is-here');
      assert.deepEqual([refused.status, missing.status], [403, 403]);
      const withoutIds = (text: string) => text.replace(/Request [\w-]+/, '');
      assert.equal(withoutIds(refused.text), withoutIds(missing.text));
      assert.equal((await guest.post('/questions/new', ASKED)).status, 403);
    });

    test('a rule on a file names it to those that may read it, and states when a person decides', async () => {
      const { database } = service;
      const accountId = String(owner.caller.accountId);
      const { id } = await makeWorkspace(database, accountId);
      const csv_id = await makeCsvFile(database, id, accountId, DAILY_CSV, 'sales.csv');
      const source = { type: 'workspace_csv', workspace_id: id, csv_id, time_field: 'date', value_field: 'value' };
      const rule = { type: 'threshold', source, op: 'gt', threshold: 130, observed_at: `${soon(2)}T00:00:00Z` };
      const asked = await ask({ workspace_id: id, visibility: 'workspace', resolution_rule: rule });
      const viewer = await openBrowser(service, 'free');
      await makeMember(database, id, String(viewer.caller.accountId), { csv_scope_mode: 'none' });
      for (const [browser, named] of [
        [owner, 'the column value of the file sales.csv is above 130'],
        [viewer, 'the column value of a file that is not public is above 130'],
      ] as const) {
        const { text } = await browser.get(`/questions/${asked.slug}`);
        assert.ok(text.includes(`It resolves to yes if ${named}`), text);
        assert.match(text, /A file does not change after its upload\. .* If not, a person states the outcome\./);
        assert.doesNotMatch(text, /By its rule, from the data/);
      }
    });

    test('the list filters by category, entity, state and deadline, and names what is wrong in its address', async () => {
      await ask({ category: 'floods', entity: { type: 'river', name: 'Elbe' }, question: 'Will the Elbe flood soon?' });
      const late = {
        category: 'floods',
        entity: { type: 'river', name: 'Oder' },
        question: 'Will the Oder flood soon?',
      };
      await ask({ ...late, resolution_deadline: new Date(Date.now() + 90 * DAY_MS).toISOString() });
      const both = await owner.get('/questions?category=floods&sort=deadline');
      assert.match(both.text, /2 questions\. .*Elbe flood.*Oder flood/);
      assert.match((await owner.get('/questions?category=floods')).text, /Oder flood.*Elbe flood/);
      const next = await owner.get(`/questions?category=floods&deadline_from=${soon(1)}&deadline_to=${soon(40)}`);
      assert.match(next.text, /1 question\. /);
      assert.doesNotMatch(next.text, /Oder flood/);
      assert.match((await owner.get('/questions?entity=oder&status=pending')).text, /1 question\. /);
      assert.match((await owner.get('/questions?category=nothing')).text, /No question matches/);
      for (const [query, reason] of [
        ['status=odd', /State: choose one from the list/],
        ['deadline_from=2026-02-31', /Deadline from/],
        ['category=%3Cscript%3E', /Category must be/],
        ['cursor=abc', /The link to this page of the list/],
        ['workspace_id=wsp_none', /workspace/i],
        ['status=pending&status=annulled', /State/],
      ] as const) {
        const page = await owner.get(`/questions?${query}`);
        assert.ok(page.status === 400 || page.status === 403, `${query}: ${page.status}`);
        assert.match(page.text, reason);
        assert.ok(!page.body.includes('<script>'));
      }
    });

    test('a question is asked once, however often its form is sent, and wrong fields keep what was entered', async () => {
      const form = await owner.get('/questions/new');
      assert.equal(form.status, 200);
      const key = hiddenField(form.body, '/questions/new', 'key');
      const twins = await Promise.all([1, 2].map(() => owner.post('/questions/new', { ...ASKED, key })));
      const [first] = twins;
      assert.deepEqual([first?.status, first?.location], [303, twins[1]?.location]);
      const page = await owner.get(String(first?.location));
      assert.match(page.text, /62\.5% probability of yes/);
      assert.match(page.text, /By hand: it has no rule/);
      assert.match(page.text, /real-estate/);
      assert.match(form.text, /Everyone: it is listed for all accounts and has a public page/);
      for (const [fields, reason] of [
        [{ probability: '101' }, /Probability: enter a number from 0 to 100/],
        [{ probability: 'often' }, /Probability: enter a number/],
        [{ deadline: '' }, /Deadline: choose a day/],
        [{ deadline: '2020-01-01' }, /Deadline must be in the future: choose today or a later day/],
        [{ deadline: 'soon' }, /Deadline must be a date, such as 2024-01-31\./],
        [{ entity_type: 'zz' }, /Kind: choose one from the list/],
        [{ audience: '' }, /Visible to: choose one from the list/],
        [{ question: 'Why?' }, /Question must/],
        [{ headline: '' }, /Headline/],
        [{ entity_name: 'turned \u202eround' }, /About must/],
        [{ category: '%%%' }, /Category must/],
        [{ audience: 'everyone' }, /Visible to: choose/],
        [{ audience: 'workspace:wsp_none' }, /workspace/],
        [{ source: 'market', symbol: 'AAPL', timeframe: '1D', threshold: '', observed_at: soon(5) }, /Value: enter/],
        [{ source: 'market', symbol: 'NOPE', timeframe: '1D', threshold: '1', observed_at: soon(5) }, /NOPE/],
      ] as const) {
        const refused = await owner.post('/questions/new', { ...ASKED, key, ...fields });
        assert.ok(refused.status >= 400 && refused.status < 500, `${JSON.stringify(fields)}: ${refused.status}`);
        assert.match(refused.text, reason);
        if (!('question' in fields)) assert.ok(refused.body.includes(ASKED.question));
      }
      assert.equal((await owner.post('/questions/new', {})).status, 400);
    });

    test('a revision is added once, and a form that showed an earlier probability changes nothing', async () => {
      const question = await ask();
      const path = `/questions/${question.slug}/revise`;
      const stale = { revision: hiddenField((await owner.get(path)).body, path, 'revision'), probability: '80' };
      const fields = { ...stale, note: 'A report' };
      const sent = await Promise.all([1, 2, 3].map(() => owner.post(path, fields)));
      assert.deepEqual(
        sent.map(({ status }) => status),
        [303, 303, 303],
      );
      assert.equal((await read(question)).revision, 2);
      const unreadable = await owner.post(path, { ...fields, known_by: 'zz' });
      assert.match(unreadable.text, /Known by must be a date and time/);
      for (const other of [{ known_by: '2024-01-31T09:30' }, { headline: 'Another headline' }, { note: 'No report' }])
        assert.equal((await owner.post(path, { ...fields, ...other })).status, 412, JSON.stringify(other));
      const late = await owner.post(path, { ...stale, probability: '10' });
      assert.equal(late.status, 412);
      assert.match(late.text, /revised or resolved while this form was open/);
      assert.match(late.body, /value="10"/, 'what was entered stays');
      for (const probability of ['', '-1', '100.1', '1e2', '<b>'])
        assert.equal((await owner.post(path, { revision: '2', probability })).status, 400);
      const refused = await owner.post(path, { revision: '2', probability: '5', known_by: '2099-01-01T00:00' });
      assert.match(refused.text, /Known by must not be in the future/);
      assert.equal((await read(question)).revision, 2);
      const page = await owner.get(`/questions/${question.slug}`);
      assert.match(page.text, /After 1 revision it is 80%/);
      assert.match(page.text, /A report/);
      assert.deepEqual((await owner.get(`/questions/${question.forecast_id}`)).location, `/questions/${question.slug}`);
    });

    test('a resolution is final, states evidence and score in words, and annulling needs a reason', async () => {
      const question = await ask({ probability: 0.8 });
      const path = `/questions/${question.slug}/resolve`;
      assert.match((await owner.post(path, { ...YES, outcome: '' })).text, /Outcome: choose yes or no/);
      assert.match((await owner.post(path, { ...YES, actual_outcome: '' })).text, /What happened must/);
      assert.equal((await read(question)).status, 'pending');
      const done = await owner.post(path, { ...YES, evidence: 'Line one\nLine <two>' });
      assert.deepEqual([done.status, done.location], [303, `/questions/${question.slug}`]);
      const page = await owner.get(`/questions/${question.slug}`);
      assert.match(page.text, /The answer is yes\./);
      assert.match(page.text, /Revision 1 gave 80%, and the outcome was yes\. Its log score is 0\.223, better than/);
      assert.ok(page.body.includes('Line &lt;two&gt;'));
      assert.doesNotMatch(page.body, />Revise<|Resolve …/);
      for (const action of ['revise', 'resolve', 'annul']) {
        const closed = await owner.get(`/questions/${question.slug}/${action}`);
        assert.equal(closed.status, 409);
        assert.match(closed.text, /This question is closed/);
        assert.doesNotMatch(closed.body, /data-once/);
      }
      assert.equal((await owner.post(path, { ...NO })).status, 409);
      const other = await ask();
      const annul = `/questions/${other.slug}/annul`;
      assert.match((await owner.get(annul)).text, /This is final/);
      assert.equal((await owner.post(annul, { actual_outcome: '', resolution_source: 'x' })).status, 400);
      assert.equal((await owner.post(annul, { actual_outcome: 'Moot', resolution_source: 'A ruling' })).status, 303);
      assert.match(
        (await owner.get(`/questions/${other.slug}`)).text,
        /was annulled.*An annulled question has no score/,
      );
    });

    test('members and other accounts see only the actions that they may take', async () => {
      const { id: workspace } = await makeWorkspace(service.database, String(owner.caller.accountId));
      const [viewer, outsider] = [await openBrowser(service, 'pro'), await openBrowser(service, 'free')];
      await makeMember(service.database, workspace, String(viewer.caller.accountId));
      const shared = await ask({ workspace_id: workspace });
      const page = await viewer.get(`/questions/${shared.slug}`);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.body, /\/(?:revise|resolve|annul)"/);
      for (const action of ['revise', 'resolve', 'annul']) {
        const refused = await viewer.get(`/questions/${shared.slug}/${action}`);
        assert.equal(refused.status, 403);
        assert.match(refused.text, /You cannot (?:revise|resolve) this question/);
        const body = { ...YES, revision: '1', probability: '5' };
        assert.equal((await viewer.post(`/questions/${shared.slug}/${action}`, body)).status, 403);
        assert.equal((await outsider.get(`/questions/${shared.slug}/${action}`)).status, 404);
      }
      assert.equal((await outsider.get(`/questions/${shared.slug}`)).status, 404);
      assert.doesNotMatch((await viewer.get('/questions/new')).body, new RegExp(`value="workspace:${workspace}"`));
      assert.match((await owner.get('/questions/new')).body, new RegExp(`value="workspace:${workspace}"`));
      assert.equal((await read(shared)).status, 'pending');
    });

    test('the scoreboard has a plot, counts and intervals for each bin, base rates, and marks what was stamped', async () => {
      const scorer = await openBrowser(service, 'pro');
      const empty = await scorer.get('/scoreboard?author=me');
      assert.match(empty.text, /No scored question matches/);
      for (const [i, body] of [YES, YES, NO, NO].entries()) {
        const question = await ask({ category: 'scored', probability: [0.9, 0.8, 0.2, 0.7][i] }, scorer);
        if (i === 0)
          await stampProof(service.database, await readContentCid(service.database, question.forecast_id), new Date());
        await scorer.caller.request('POST', `${EVENTS}/${question.slug}/resolve`, body);
      }
      const page = await scorer.get('/scoreboard?category=scored&group_by=category');
      assert.equal(page.status, 200);
      assert.match(page.text, /4 questions were scored; 2 answers were yes/);
      assert.match(page.text, /base rate of 50%/);
      assert.match(page.text, /70% to 80% 70% 0% 0–79% 0 1 as stated/);
      assert.match(page.text, /Always the base rate 0\.693/);
      assert.equal(page.body.match(/✓ Stamped/g)?.length, 1);
      assert.match(page.body, /href="\/api\/v1\/scout\/scoreboard\?format=csv&amp;rows=questions&amp;category=scored/);
      assert.match((await scorer.get('/scoreboard?category=scored&stamped=true')).text, /1 question was scored/);
      assert.match((await scorer.get('/questions?category=scored')).body, /✓ Stamped/);
      for (const query of ['group_by=owner', 'from=yesterday', 'stamped=maybe'])
        assert.equal((await scorer.get(`/scoreboard?${query}`)).status, 400, query);
    });
  });
}
