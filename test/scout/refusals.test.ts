import assert from 'node:assert/strict';
import { DAY_MS } from '../../src/calendar/index.ts';
import { readComparableRows } from '../support/platform/rows.ts';
import { EVENTS, type EventView, eventRequest, YES } from '../support/scout/events.ts';
import { shareService } from '../support/workspaces/workspaces.ts';

const onService = shareService();

const RULE = {
  type: 'threshold',
  source: { type: 'market', symbol: 'AAPL', timeframe: '1D' },
  op: 'gt',
  threshold: 1,
  observed_at: '2030-01-02T00:00:00Z',
};
const REVISION = { probability: 0.5, input_cutoff_at: '2024-02-01T00:00:00Z' };
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** An invalid field, and the message that names it. */
const INVALID_FIELDS: readonly (readonly [fields: object, field: RegExp])[] = [
  [{ probability: 1.0000001 }, /probability/],
  [{ probability: -0.1 }, /probability/],
  [{ probability: '0.5' }, /probability/],
  [{ probability: null }, /probability/],
  [{ probability: Number.NaN }, /probability/],
  [{ question: 'Too short' }, /question/],
  [{ question: 'x'.repeat(501) }, /question/],
  [{ question: 'Will this be\nin two lines?' }, /question: .*one line/],
  [{ question: 'Will this hold a \u0000 NUL?' }, /question/],
  [{ question: 'Will this hold a \ud800 surrogate?' }, /question/],
  [{ question: '          x          ' }, /question/],
  [{ question: '\u200b'.repeat(12) }, /question: must contain a visible character/],
  [
    { question: 'Will this be \u202eturned round?' },
    /question: must not contain characters that change the text direction/,
  ],
  [{ possible_future_headline: '\u2066Acme' }, /possible_future_headline: must not contain/],
  [{ entity: { type: 'company', name: '\u200b' } }, /entity\.name: must contain a visible character/],
  [{ possible_future_headline: 'x'.repeat(301) }, /possible_future_headline/],
  [{ possible_future_headline: '' }, /possible_future_headline/],
  [{ category: 'Earnings!' }, /category/],
  [{ category: 'x'.repeat(41) }, /category/],
  [{ entity: { type: 'company' } }, /entity\.name/],
  [{ entity: { type: 'company', name: 'A', owner: 'me' } }, /entity.*owner/],
  [{ entity: { type: 'company', name: 'A', ticker: 'T'.repeat(33) } }, /entity\.ticker/],
  [{ entity: 'Acme' }, /entity/],
  [{ slug: 'No Slug' }, /slug/],
  [{ slug: 'evt_00000000000000000000000000' }, /slug/],
  [{ slug: '-ab' }, /slug: .*without a dash at either end/],
  [{ model: 'almanac_ensemble' }, /model/],
  [{ input_cutoff_at: 'yesterday' }, /input_cutoff_at/],
  [{ input_cutoff_at: inDays(1) }, /input_cutoff_at: must not be in the future/],
  [{ input_cutoff_at: '+010000-01-01T00:00:00Z' }, /input_cutoff_at/],
  [{ resolution_deadline: '2024-02-01T00:00:00Z' }, /resolution_deadline: must be in the future/],
  [{ resolution_deadline: '2020-02-01T00:00:00Z' }, /resolution_deadline: must be after input_cutoff_at/],
  [{ resolution_deadline: '9999-12-31T23:59:59Z' }, /resolution_deadline: must be within 50 years/],
  [{ resolution_deadline: '9999-12-31T23:59:59-01:00' }, /resolution_deadline/],
  [{ visibility: 'workspace' }, /visibility: "workspace" requires a workspace_id/],
  [{ visibility: 'everyone' }, /visibility/],
  [{ status: 'resolved_yes' }, /status/],
  [{ log_score: 0 }, /log_score/],
  [{ resolution_rule: { ...RULE, op: 'eq' } }, /resolution_rule\.op/],
  [{ resolution_rule: { ...RULE, threshold: 1e16 } }, /resolution_rule\.threshold/],
  [{ resolution_rule: { ...RULE, settle_days: 366 } }, /resolution_rule\.settle_days/],
  [{ resolution_rule: { ...RULE, settle_days: 0.5 } }, /resolution_rule\.settle_days/],
  [{ resolution_rule: { ...RULE, source: { type: 'inline', points: [] } } }, /resolution_rule\.source/],
  [{ resolution_rule: { ...RULE, observed_at: '9999-01-01T00:00:00Z' } }, /resolution_rule\.observed_at/],
  [{ resolution_rule: { ...RULE, observed_at: '0001-01-01T00:00:00Z' } }, /resolution_rule\.observed_at/],
  [
    { resolution_rule: { ...RULE, source: { ...RULE.source, symbol: 'NOPE' }, observed_at: inDays(3) } },
    /^resolution_rule\.source.*NOPE/,
  ],
];

onService('refuses an invalid event with the name of the field and stores nothing', async (service, author) => {
  const before = await readComparableRows(service.database);
  for (const [fields, field] of INVALID_FIELDS) {
    const { status, body } = await author.request('POST', EVENTS, eventRequest(fields));
    assert.ok(status === 400 || status === 404, `${JSON.stringify(fields)}: ${status} ${body}`);
    assert.match(JSON.parse(body).error.message, field);
  }
  for (const missing of ['category', 'entity', 'question', 'probability', 'input_cutoff_at', 'resolution_deadline']) {
    const { [missing]: _, ...rest } = eventRequest() as Record<string, unknown>;
    const { code, body } = await author.request('POST', EVENTS, rest);
    assert.equal(code, 'INVALID_REQUEST');
    assert.match(body, new RegExp(missing));
  }
  assert.equal((await author.request('POST', EVENTS, [])).status, 400);
  assert.equal(
    (await author.request('POST', EVENTS, eventRequest({ question: 'x'.repeat(3 * 1024 ** 2) }))).status,
    413,
  );
  assert.deepEqual(await readComparableRows(service.database), before);
});

onService(
  'refuses an invalid revision, resolution, list or scoreboard with the name of the field and stores nothing',
  async (service, author) => {
    const { data } = await author.request<EventView>('POST', EVENTS, eventRequest());
    const path = `${EVENTS}/${data.forecast_id}`;
    // The first list creates the key that signs cursors.
    await author.request('GET', EVENTS);
    const before = await readComparableRows(service.database);
    const refused: readonly (readonly [
      method: 'GET' | 'POST',
      path: string,
      body: object | undefined,
      field: RegExp,
    ])[] = [
      ['POST', `${path}/revisions`, { ...REVISION, probability: 2 }, /probability/],
      ['POST', `${path}/revisions`, { ...REVISION, question: 'Another question?' }, /question/],
      ['POST', `${path}/revisions`, { ...REVISION, resolution_deadline: inDays(9) }, /resolution_deadline/],
      ['POST', `${path}/revisions`, { ...REVISION, input_cutoff_at: inDays(1) }, /input_cutoff_at/],
      ['POST', `${path}/revisions`, { probability: 0.5 }, /input_cutoff_at/],
      ['POST', `${path}/revisions`, { ...REVISION, note: 'x'.repeat(1001) }, /note/],
      ['POST', `${path}/revisions`, { ...REVISION, note: ' \u200b ' }, /note: must contain a visible character/],
      [
        'POST',
        `${path}/revisions`,
        { ...REVISION, note: 'a \u0007 bell' },
        /note: must not contain control characters/,
      ],
      [
        'POST',
        `${path}/resolve`,
        { ...YES, actual_outcome: '\n\u2800\n' },
        /actual_outcome: must contain a visible character/,
      ],
      ['POST', `${path}/resolve`, { ...YES, resolution_source: '\u202e' }, /resolution_source: must not contain/],
      ['POST', `${path}/resolve`, { ...YES, outcome: 'maybe' }, /outcome/],
      ['POST', `${path}/resolve`, { ...YES, actual_outcome: '' }, /actual_outcome/],
      ['POST', `${path}/resolve`, { ...YES, actual_outcome: 'x'.repeat(1001) }, /actual_outcome/],
      ['POST', `${path}/resolve`, { ...YES, resolution_source: undefined }, /resolution_source/],
      ['POST', `${path}/resolve`, { ...YES, outcome_known_at: inDays(1) }, /outcome_known_at/],
      ['POST', `${path}/resolve`, { ...YES, evidence: { url: 'https://example.org' } }, /evidence/],
      ['POST', `${path}/resolve`, { ...YES, evidence: { text: 'x'.repeat(5001) } }, /evidence\.text/],
      ['POST', `${path}/resolve`, { ...YES, log_score: 0 }, /log_score/],
      ['GET', `${EVENTS}?status=open`, undefined, /status/],
      ['GET', `${EVENTS}?limit=101`, undefined, /limit/],
      ['GET', `${EVENTS}?cursor=AAAA.BBBB`, undefined, /cursor/],
      ['GET', `${EVENTS}?color=red`, undefined, /color/],
      ['GET', '/v1/scout/scoreboard?group_by=author', undefined, /group_by/],
      ['GET', '/v1/scout/scoreboard?from=today', undefined, /from/],
      ['POST', '/v1/scout/from-forecast', { forecast_id: 'ef_x', thresholds: [] }, /thresholds/],
      ['POST', '/v1/scout/from-forecast', { forecast_id: 'ef_x', thresholds: [1], steps: [0] }, /steps/],
      ['POST', '/v1/scout/from-forecast', { forecast_id: 'ef_x', changes_pct: [-100] }, /changes_pct/],
      ['POST', '/v1/scout/from-forecast', { thresholds: [1] }, /forecast_id/],
    ];
    for (const [method, address, body, field] of refused) {
      const { status, code, body: answer } = await author.request(method, address, body);
      assert.deepEqual(
        [status, code],
        [400, 'INVALID_REQUEST'],
        `${address} ${JSON.stringify(body)?.slice(0, 200)}: ${answer}`,
      );
      assert.match(answer, field);
    }
    assert.deepEqual(await readComparableRows(service.database), before);
  },
);
