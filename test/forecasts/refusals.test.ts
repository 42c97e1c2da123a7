import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countRows } from '../support/forecasts/forecast-counts.ts';
import {
  type Caller,
  create,
  dailyPoints,
  EMPTY_FOLDER,
  FORECASTS,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const INDUSTRY = { type: 'economic_series', provider: 'bundled', series_id: 'us-unemployment-by-industry' };

const points = dailyPoints();
const inline = (changed: readonly object[]) => ({ source: { type: 'inline', points: changed } });
const withValue = (row: number, value: number) => points.map((point, i) => (i === row ? { ...point, value } : point));
const manual = (weights: object) => ({ weight_mode: 'manual', weights });

const yearsTo = (last: number) =>
  [last - 2, last - 1, last].map((year, value) => ({ timestamp: `${year}-12-31T00:00:00Z`, value }));
/** Weeks after the rows of `points`, which begin on a Monday. */
const mondays = (count: number) => dailyPoints(7 * count, Date.UTC(2024, 3, 1)).filter((_, i) => i % 7 === 0);
const FAST = /^400 INVALID_REQUEST mode: fast determines the models and weights itself\. Leave out models, weights /;
const CUTOFF = /^400 INVALID_REQUEST cutoff: must be a date and time .* or a whole number of days .* 120 or 180\.$/;

/** The fields of a request and its fault: status, code and the start of the message, which names the field. */
const INVALID_REQUESTS: readonly (readonly [name: string, fields: object, refusal: RegExp])[] = [
  ['a horizon of 0', { horizon: 0 }, /^400 INVALID_REQUEST horizon: /],
  [
    'a horizon beyond the supported dates',
    { horizon: 150, frequency: '1YE', ...inline(yearsTo(2122)) },
    /^400 INVALID_REQUEST horizon: reaches beyond the supported dates: .*2200.*fewer periods/,
  ],
  [
    'a horizon of 151 years',
    { horizon: 151, frequency: '1YE', ...inline(yearsTo(2022)) },
    /^400 .* horizon: .* 1 to 150/,
  ],
  ['a horizon of 366', { horizon: 366 }, /^400 INVALID_REQUEST horizon: /],
  ['a fractional horizon', { horizon: 1.5 }, /^400 INVALID_REQUEST horizon: /],
  ['a missing source', { source: undefined }, /^400 INVALID_REQUEST source: /],
  ['an unknown field', { horizn: 3 }, /^400 INVALID_REQUEST .*horizn/],
  ['an empty list of quantiles', { quantiles: [] }, /^400 INVALID_REQUEST quantiles: /],
  [
    '22 quantiles',
    { quantiles: Array.from({ length: 22 }, (_, i) => (i + 1) / 30) },
    /^400 INVALID_REQUEST quantiles: /,
  ],
  ['the quantile 0', { quantiles: [0, 0.5] }, /^400 INVALID_REQUEST quantiles: .*0\.001/],
  ['the quantile 1', { quantiles: [1] }, /^400 INVALID_REQUEST quantiles: /],
  ['a repeated quantile', { quantiles: [0.5, 0.5] }, /^400 INVALID_REQUEST quantiles: /],
  ['a quantile as text', { quantiles: ['0.5'] }, /^400 INVALID_REQUEST quantiles/],
  ['an unknown model', { models: ['theta', 'oracle'] }, /^400 INVALID_REQUEST models: .*oracle/],
  ['a model without a checkpoint', { models: ['toto'] }, /^400 INVALID_REQUEST models: .*almanac models pull toto/],
  ['a repeated model', { models: ['theta', 'theta'] }, /^400 INVALID_REQUEST models: /],
  ['an empty list of models', { models: [] }, /^400 INVALID_REQUEST models: /],
  ['an unknown mode', { mode: 'slow' }, /^400 INVALID_REQUEST mode: /],
  ['the fast mode with models', { mode: 'fast' }, FAST],
  ['the fast mode with weights', { mode: 'fast', models: undefined, ...manual({ theta: 1 }) }, FAST],
  ['the fast mode with weight_mode manual', { mode: 'fast', models: undefined, weight_mode: 'manual' }, FAST],
  ['weights with the mode auto', { weights: { theta: 1 } }, /^400 INVALID_REQUEST weights: /],
  ['weights that are all 0', manual({ theta: 0, ets: 0 }), /^400 INVALID_REQUEST weights: /],
  ['an empty object of weights', manual({}), /^400 INVALID_REQUEST weights: /],
  ['a negative weight', manual({ theta: -1, ets: 2 }), /^400 INVALID_REQUEST weights: /],
  ['a weight of a model that is not requested', manual({ arima: 1 }), /^400 INVALID_REQUEST weights: .*arima/],
  ['a negative seed', { seed: -1 }, /^400 INVALID_REQUEST seed: /],
  ['a limit of 2', { limit: 2 }, /^400 INVALID_REQUEST limit: /],
  ['a cutoff that is not an instant', { cutoff: 'yesterday' }, CUTOFF],
  ['a cutoff of half a day', { cutoff: 1.5 }, CUTOFF],
  ['a null cutoff', { cutoff: null }, CUTOFF],
  ['a cutoff on a day that does not exist', { cutoff: '2024-02-30T00:00:00Z' }, CUTOFF],
  ['a negative number of days as cutoff', { cutoff: -1 }, /^400 INVALID_REQUEST cutoff/],
  ['two rows', { ...inline(points.slice(0, 2)), frequency: '1D' }, /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 2/],
  ['two rows without a frequency', inline(points.slice(0, 2)), /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 2/],
  ['one row', inline(points.slice(0, 1)), /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 1/],
  [
    'two rows out of order',
    inline(points.slice(0, 2).toReversed()),
    /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 2/,
  ],
  ['no row before the cutoff', { cutoff: '2001-01-01T00:00:00Z' }, /^422 INSUFFICIENT_HISTORY .*at least \d+ rows.* 0/],
  ['an empty list of rows', inline([]), /^400 INVALID_REQUEST source\.points: /],
  [
    'a repeated row',
    inline([...points, points[2] ?? {}]),
    /^400 INVALID_REQUEST source\.points: Row 41 \(2024-01-03T00:00:00\.000Z\) repeats the timestamp of row 3\.$/,
  ],
  [
    'a date and a timestamp that are the same instant, in rows out of order',
    { ...inline([{ timestamp: '2024-01-03', value: 1 }, ...points.toReversed()]), frequency: '1D' },
    /^400 INVALID_REQUEST source\.points: Row 39 \(2024-01-03T00:00:00\.000Z\) repeats the timestamp of row 1\.$/,
  ],
  [
    'a value that is too large, in rows out of order, by its position in the request',
    inline(withValue(0, 2e15).toReversed()),
    /^400 INVALID_REQUEST source\.points: Row 40 has a value beyond/,
  ],
  [
    'a row between the days, by its position in the request',
    { ...inline([{ timestamp: '2024-01-05T05:00:00Z', value: 1 }, ...points]), frequency: '1D' },
    /^400 INVALID_REQUEST source\.points: Row 1 \(2024-01-05T05:00:00\.000Z\) is not 00:00 UTC\.$/,
  ],
  [
    'a date that does not exist',
    inline([{ timestamp: '2024-02-30', value: 1 }]),
    /^400 .*source\.points\[0\]\.timestamp: /,
  ],
  [
    'months as the frequency of years',
    { ...inline(yearsTo(2022)), frequency: '1ME' },
    /^422 UNPROCESSABLE frequency: no two neighboring rows are one 1ME period apart\. The rows are 1YE\. Omit frequency or set it to 1YE\.$/,
  ],
  [
    'days as the frequency of the weeks that the limit keeps',
    { ...inline([...points.slice(0, 2), ...mondays(20)]), frequency: '1D', limit: 5 },
    /^422 UNPROCESSABLE frequency: no two neighboring rows are one 1D period apart\. The rows are 1W-MON\./,
  ],
  [
    'a day dated by noon',
    inline(points.with(10, { timestamp: points[10]?.timestamp.replace('T00', 'T12') ?? '', value: 1 })),
    /^400 INVALID_REQUEST source\.points: The rows are daily, but row 11 is dated \S+T12:00:00\.000Z\. Date 1D rows by 00:00 UTC\.$/,
  ],
  [
    'minutes as the frequency of days, out of order',
    { ...inline(points.toReversed()), frequency: '1min' },
    /^422 UNPROCESSABLE frequency: no two .* The rows are 1D\./,
  ],
  [
    'another frequency than that of market bars',
    { source: { type: 'market', symbol: 'AAPL', timeframe: '1D' }, frequency: '1h' },
    /^422 UNPROCESSABLE frequency: the series is 1D\. Omit frequency or set it to 1D\.$/,
  ],
  [
    'another frequency than that of an economic series',
    { source: { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' }, frequency: '1D' },
    /^422 UNPROCESSABLE frequency: the series is 1M[SE]\./,
  ],
  [
    'an unknown frequency of market bars',
    { source: { type: 'market', symbol: 'AAPL', timeframe: '1D' }, frequency: 'daily' },
    /^400 INVALID_REQUEST frequency: "daily" is not a frequency/,
  ],
  [
    'a row without a value',
    inline([...points.slice(1), { timestamp: '2024-03-01T00:00:00Z', value: null }]),
    /^400 INVALID_REQUEST source\.points/,
  ],
  [
    'rows without a common frequency',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(1e12 + i * i * 7_777_777).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: .*frequency/,
  ],
  [
    'weekly rows dated on Fridays',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(Date.UTC(2024, 0, 5 + 7 * i)).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: The rows are weekly, dated on Fridays\. Date 1W-MON rows by a Monday at 00:00 UTC\.$/,
  ],
  [
    'rows every ten minutes',
    inline(points.map(({ value }, i) => ({ timestamp: new Date(1.5e12 + i * 600_000).toISOString(), value }))),
    /^400 INVALID_REQUEST source\.points: The rows are 10 minutes apart, and no frequency has that step\. Resample them to one of 1min, .*\.$/,
  ],
  [
    'a value of 0 with the transform log',
    { ...inline(withValue(3, 0)), transform: 'log' },
    /^400 INVALID_REQUEST transform: .*at 2024-01-04.* is 0\. Use auto or none\.$/,
  ],
  [
    'a negative value with the transform log',
    { ...inline(withValue(0, -2.5)), transform: 'log' },
    /^400 INVALID_REQUEST transform: .*at 2024-01-01.* is -2\.5\./,
  ],
  ['an unknown symbol', { source: { type: 'market', symbol: 'NOSUCH', timeframe: '1D' } }, /^404 NOT_FOUND /],
  ['an unknown series', { source: { ...INDUSTRY, series_id: 'no-such' } }, /^404 NOT_FOUND /],
  [
    'a missing required dimension',
    { source: { ...INDUSTRY, value_field: 'rate' } },
    /^400 INVALID_REQUEST source\.dimensions\.industry: is required/,
  ],
  [
    'the visibility workspace without a workspace',
    { visibility: 'workspace' },
    /^400 INVALID_REQUEST visibility: .*workspace_id/,
  ],
  ['an unknown workspace', { workspace_id: 'ws_none' }, /^403 WORKSPACE_DENIED /],
];

let service: ForecastService;
let caller: Caller;

before(async () => {
  service = await openForecastService(testedKind, { bundled: EMPTY_FOLDER });
  caller = await service.account();
});
after(() => service?.[Symbol.asyncDispose]());

/** Returns status, code and message of a fault, after checking that the request stored nothing and that an estimate gets the same fault. */
async function refuse(sender: Caller, fields: object): Promise<string> {
  const rows = await countRows(service.database);
  const { status, code, body } = await create(sender, fields);
  const estimated = await sender.request('POST', `${FORECASTS}/estimate`, inlineRequest(fields));
  assert.deepEqual(await countRows(service.database), rows, 'a refused request stores nothing');
  assert.deepEqual([estimated.status, estimated.code, estimated.body], [status, code, body]);
  return `${status} ${code} ${JSON.parse(body).error?.message}`;
}

for (const [name, fields, expected] of INVALID_REQUESTS) {
  test(`refuses ${name}`, async () => {
    assert.match(await refuse(caller, fields), expected);
  });
}

test('refuses a value that overflows, such as 1e999', async () => {
  const payload = JSON.stringify(inlineRequest()).replace(/"value":100\b/, '"value":1e999');
  assert.match(payload, /1e999/);
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/v1/ensemble-forecasts',
    headers: { ...caller.credentials, 'content-type': 'application/json' },
    payload,
  });
  assert.equal(response.statusCode, 400);
  assert.match(response.json().error.message, /^source\.points/);
});

test('accepts a value of 0 without the transform log, and positive values with it', async () => {
  const other = await service.account();
  const withZero = inline(withValue(3, 0));
  for (const fields of [withZero, { ...withZero, transform: 'none' }, { transform: 'log' }]) {
    assert.equal((await create(other, fields)).status, 202);
  }
  // The limit excludes the 0.
  assert.equal((await create(other, { ...withZero, transform: 'log', limit: 30 })).status, 202);
});

test('a guest can request a horizon of 96 but not of 97', async () => {
  const guest = await service.guest();
  assert.match(await refuse(guest, { horizon: 97 }), /^400 INVALID_REQUEST horizon: your plan allows at most 96\.$/);
  assert.equal((await create(guest, { horizon: 96 })).status, 202);
});

test('refuses another account’s workspace and an unknown one with the same message', async () => {
  const other = await service.account();
  const { data } = await other.request<{ workspaces: { id: string }[] }>('GET', '/v1/me/access');
  const [theirs] = data.workspaces;
  assert.ok(theirs);
  const toTheirs = await refuse(caller, { workspace_id: theirs.id, visibility: 'workspace' });
  assert.equal(toTheirs, await refuse(caller, { workspace_id: 'ws_none', visibility: 'workspace' }));
  assert.match(toTheirs, /^403 WORKSPACE_DENIED /);
  assert.equal((await create(other, { workspace_id: theirs.id, visibility: 'workspace' })).status, 202);
});
