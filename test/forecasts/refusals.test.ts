import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  create,
  dailyPoints,
  type ForecastService,
  inlineRequest,
  NO_FOLDER,
  openForecastService,
  type Person,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const INDUSTRY = { type: 'economic_series', provider: 'bundled', series_id: 'us-unemployment-by-industry' };

const points = dailyPoints();
const inline = (changed: readonly object[]) => ({ source: { type: 'inline', points: changed } });
const withValue = (row: number, value: number) => points.map((point, i) => (i === row ? { ...point, value } : point));
const manual = (weights: object) => ({ weight_mode: 'manual', weights });

const yearly = [2020, 2021, 2022].map((year, value) => ({ timestamp: `${year}-12-31T00:00:00Z`, value }));
const CUTOFF = /^400 INVALID_REQUEST cutoff: must be a date and time .* or a whole number of days .* 120 or 180\.$/;

/** What is asked for, and the refusal: status, code and the start of the message, which names the field. */
const REFUSED: readonly (readonly [name: string, fields: object, refusal: RegExp])[] = [
  ['no step ahead', { horizon: 0 }, /^400 INVALID_REQUEST horizon: /],
  [
    'steps past the dates served',
    { horizon: 365, frequency: '1YE', ...inline(yearly) },
    /^400 INVALID_REQUEST horizon: leads past the dates served: .*2200.*fewer steps/,
  ],
  ['too many steps ahead', { horizon: 366 }, /^400 INVALID_REQUEST horizon: /],
  ['half a step', { horizon: 1.5 }, /^400 INVALID_REQUEST horizon: /],
  ['no source', { source: undefined }, /^400 INVALID_REQUEST source: /],
  ['an unknown field', { horizn: 3 }, /^400 INVALID_REQUEST .*horizn/],
  ['no quantile', { quantiles: [] }, /^400 INVALID_REQUEST quantiles: /],
  [
    '22 quantiles',
    { quantiles: Array.from({ length: 22 }, (_, i) => (i + 1) / 30) },
    /^400 INVALID_REQUEST quantiles: /,
  ],
  ['the quantile 0', { quantiles: [0, 0.5] }, /^400 INVALID_REQUEST quantiles: .*0\.001/],
  ['the quantile 1', { quantiles: [1] }, /^400 INVALID_REQUEST quantiles: /],
  ['a quantile twice', { quantiles: [0.5, 0.5] }, /^400 INVALID_REQUEST quantiles: /],
  ['a quantile as text', { quantiles: ['0.5'] }, /^400 INVALID_REQUEST quantiles/],
  ['an unknown model', { models: ['theta', 'oracle'] }, /^400 INVALID_REQUEST models: .*oracle/],
  ['a model that cannot run here', { models: ['toto'] }, /^400 INVALID_REQUEST models: .*almanac models pull toto/],
  ['a model twice', { models: ['theta', 'theta'] }, /^400 INVALID_REQUEST models: /],
  ['no model', { models: [] }, /^400 INVALID_REQUEST models: /],
  ['weights with auto', { weights: { theta: 1 } }, /^400 INVALID_REQUEST weights: /],
  ['weights that are all 0', manual({ theta: 0, ets: 0 }), /^400 INVALID_REQUEST weights: /],
  ['no weights in their list', manual({}), /^400 INVALID_REQUEST weights: /],
  ['a weight below 0', manual({ theta: -1, ets: 2 }), /^400 INVALID_REQUEST weights: /],
  ['a weight of a model that was not asked for', manual({ arima: 1 }), /^400 INVALID_REQUEST weights: .*arima/],
  ['a seed below 0', { seed: -1 }, /^400 INVALID_REQUEST seed: /],
  ['a limit of 2', { limit: 2 }, /^400 INVALID_REQUEST limit: /],
  ['a cutoff that is no instant', { cutoff: 'yesterday' }, CUTOFF],
  ['a cutoff of half a day', { cutoff: 1.5 }, CUTOFF],
  ['a cutoff of nothing', { cutoff: null }, CUTOFF],
  ['a cutoff on a day that there is not', { cutoff: '2024-02-30T00:00:00Z' }, CUTOFF],
  ['a cutoff in the future by days', { cutoff: -1 }, /^400 INVALID_REQUEST cutoff/],
  ['two rows', { ...inline(points.slice(0, 2)), frequency: '1D' }, /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 2/],
  ['two rows, no frequency', inline(points.slice(0, 2)), /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 2/],
  ['one row', inline(points.slice(0, 1)), /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 1/],
  ['two rows out of order', inline(points.slice(0, 2).toReversed()), /^400 INVALID_REQUEST source\.points: .*earlier/],
  ['no row before the cutoff', { cutoff: '2001-01-01T00:00:00Z' }, /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 0/],
  ['no rows', inline([]), /^400 INVALID_REQUEST source\.points: /],
  ['rows out of order', inline(points.toReversed()), /^400 INVALID_REQUEST source/],
  [
    'rows out of order, frequency named',
    { ...inline(points.toReversed()), frequency: '1D' },
    /^400 INVALID_REQUEST source/,
  ],
  ['a row twice', inline([...points, points.at(-1) ?? {}]), /^400 INVALID_REQUEST source/],
  [
    'a row without a value',
    inline([...points.slice(1), { timestamp: '2024-03-01T00:00:00Z', value: null }]),
    /^400 INVALID_REQUEST source\.points/,
  ],
  [
    'rows that fit no frequency',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(1e12 + i * i * 7_777_777).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: .*frequency/,
  ],
  [
    'weeks dated by Fridays',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(Date.UTC(2024, 0, 5 + 7 * i)).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: The rows are weekly, dated by Fridays; 1W-MON rows are dated by a Monday at 00:00 UTC: shift them\.$/,
  ],
  [
    'rows every ten minutes',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(1.5e12 + i * 600_000).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: The rows are 10 minutes apart, for which there is no frequency\. There are 1min, .*: make rows of one of these\.$/,
  ],
  [
    'the logarithm of 0',
    { ...inline(withValue(3, 0)), transform: 'log' },
    /^400 INVALID_REQUEST transform: .* 0 at 2024-01-04.*auto or none/,
  ],
  [
    'the logarithm of less than 0',
    { ...inline(withValue(0, -2.5)), transform: 'log' },
    /^400 INVALID_REQUEST transform: .* -2\.5 at 2024-01-01/,
  ],
  ['an unknown symbol', { source: { type: 'market', symbol: 'NOSUCH', timeframe: '1D' } }, /^404 NOT_FOUND /],
  ['an unknown series', { source: { ...INDUSTRY, series_id: 'no-such' } }, /^404 NOT_FOUND /],
  [
    'a required dimension left out',
    { source: { ...INDUSTRY, value_field: 'rate' } },
    /^400 INVALID_REQUEST source\.dimensions\.industry: is required/,
  ],
  ['visibility workspace without one', { visibility: 'workspace' }, /^400 INVALID_REQUEST visibility: .*workspace_id/],
  ['a workspace that is not there', { workspace_id: 'ws_none' }, /^403 WORKSPACE_DENIED /],
];

let service: ForecastService;
let person: Person;

before(async () => {
  service = await openForecastService(testedKind, { bundled: NO_FOLDER });
  person = await service.account();
});
after(() => service?.[Symbol.asyncDispose]());

/** Status, code and message of a refusal, which has changed nothing. */
async function refusal(who: Person, fields: object): Promise<string> {
  const rows = await countRows(service.database);
  const { status, code, body } = await create(who, fields);
  assert.deepEqual(await countRows(service.database), rows, 'a refused request leaves nothing');
  return `${status} ${code} ${JSON.parse(body).error?.message}`;
}

for (const [name, fields, expected] of REFUSED) {
  test(`refused: ${name}`, async () => {
    assert.match(await refusal(person, fields), expected);
  });
}

test('refused: a value that is no finite number, which JSON can only write as a huge one', async () => {
  const payload = JSON.stringify(inlineRequest()).replace(/"value":100\b/, '"value":1e999');
  assert.match(payload, /1e999/);
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/v1/ensemble-forecasts',
    headers: { ...person.credentials, 'content-type': 'application/json' },
    payload,
  });
  assert.equal(response.statusCode, 400);
  assert.match(response.json().error.message, /^source\.points/);
});

test('rows with a 0 are taken without logarithms, rows above 0 with them', async () => {
  const other = await service.account();
  const withZero = inline(withValue(3, 0));
  for (const fields of [withZero, { ...withZero, transform: 'none' }, { transform: 'log' }]) {
    assert.equal((await create(other, fields)).status, 202);
  }
  // The 0 is cut off.
  assert.equal((await create(other, { ...withZero, transform: 'log', limit: 30 })).status, 202);
});

test('a guest looks 96 steps ahead, not 97', async () => {
  const guest = await service.guest();
  assert.match(await refusal(guest, { horizon: 97 }), /^400 INVALID_REQUEST horizon: may be 96/);
  assert.equal((await create(guest, { horizon: 96 })).status, 202);
});

test('a workspace of somebody else is refused in the words for one that is not there', async () => {
  const other = await service.account();
  const { data } = await other.ask<{ workspaces: { id: string }[] }>('GET', '/v1/me/access');
  const [theirs] = data.workspaces;
  assert.ok(theirs);
  const toTheirs = await refusal(person, { workspace_id: theirs.id, visibility: 'workspace' });
  assert.equal(toTheirs, await refusal(person, { workspace_id: 'ws_none', visibility: 'workspace' }));
  assert.match(toTheirs, /^403 WORKSPACE_DENIED /);
  assert.equal((await create(other, { workspace_id: theirs.id, visibility: 'workspace' })).status, 202);
});
