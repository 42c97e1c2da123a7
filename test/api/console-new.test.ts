import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requestAs } from '../support/api/request-as.ts';
import { type ForecastService, openForecastService } from '../support/forecasts/forecast-service.ts';
import { makeAccount, withSession } from '../support/identity/callers.ts';
import { type PageReply, type PageVisitor, pageVisitor } from '../support/identity/page-visitor.ts';
import { testedKind } from '../support/platform/database.ts';
import { testReplays } from './console-replays.ts';

const CO2 = { source: 'economic_series', provider: 'bundled', series_id: 'mauna-loa-co2', limit: '60' };
const APPLE = { source: 'market', symbol: 'AAPL', provider: 'bundled', timeframe: '1D', limit: '60' };

// Without a worker, so that forecasts stay queued and take their slots.
let service: ForecastService;
before(async () => {
  service = await openForecastService(testedKind);
});
after(() => service?.[Symbol.asyncDispose]());

testReplays(() => service);

const newcomer = (): PageVisitor => pageVisitor(service.app);
const at = (fields: Readonly<Record<string, string>>) => `/new?${new URLSearchParams(fields)}`;

/** Returns the key of the form, which its button sends. */
function keyOf({ body }: PageReply): string {
  return /name="key" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

/** Returns the value of a field of the form as the page shows it. */
function typedIn({ body }: PageReply, name: string): string | undefined {
  return new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(body)?.[1];
}

/** Returns the error beside a field. */
function errorOf({ body }: PageReply, name: string): string | undefined {
  return new RegExp(`<p class="error" id="${name}-error">([^<]*)</p>`).exec(body)?.[1];
}

test('a form without a series offers the search and the examples, and makes no guest session', async () => {
  for (const [path, note] of [
    ['/new', false],
    ['/new?source=', true],
    ['/new?source=inline&horizon=3', true],
    ['/new?horizon=12&suggest=3', false],
  ] as const) {
    const visitor = newcomer();
    const reply = await visitor.get(path);
    assert.equal(reply.status, 200, path);
    assert.match(reply.body, /<form[^>]* action="\/search"/);
    assert.match(reply.body, /<a class="cover" href="\/new\?source=market&amp;symbol=AAPL/);
    assert.equal(reply.text.includes('names no series that can be read'), note, path);
    assert.deepEqual([...visitor.cookies], [], path);
  }
});

test('the form explains the series, its limits and the cost', async () => {
  const visitor = newcomer();
  const reply = await visitor.get(at(CO2));
  assert.equal(reply.status, 200);
  assert.equal(visitor.cookies.size, 0, 'looking at the cost makes no guest session');
  assert.equal(typedIn(reply, 'horizon'), '12');
  for (const text of [
    'Atmospheric CO2 at Mauna Loa',
    'Guests can forecast at most 96 months.',
    '6 months',
    '12 months',
    '24 months',
    'You have 500 credits left this month',
    '60 rows',
    'every 12 months',
    'all 12 predicted periods are already over',
  ])
    assert.ok(reply.text.includes(text), text);
  assert.match(reply.body, /<div class="preview"><svg/);
  const market = await visitor.get(at(APPLE));
  assert.match(market.text, /5 trading days 20 trading days 60 trading days/);
  assert.match(market.body, /<select id="timeframe".*<option value="1D" selected>Daily<\/option>/);
  assert.match(market.body, /<option value="close" selected>Closing price<\/option>/);
});

test('choices in the address fill the form, and a suggested horizon replaces the typed one', async () => {
  const title = '"><script>alert(1)</script>';
  const fields = {
    ...CO2,
    horizon: '7',
    suggest: '24',
    title,
    'model.ets': 'on',
    'model.theta': 'on',
    seed: '5',
    transform: 'log',
  };
  const reply = await newcomer().get(at(fields));
  assert.equal(typedIn(reply, 'horizon'), '24');
  assert.equal(typedIn(reply, 'seed'), '5');
  assert.equal(typedIn(reply, 'limit'), '60');
  assert.doesNotMatch(reply.body, /<script>alert/);
  assert.match(reply.body, /value="&quot;&gt;&lt;script&gt;/);
  assert.match(reply.body, /<details class="card advanced" open>/);
  assert.match(reply.body, /name="model\.ets" value="on" checked>/);
  assert.match(reply.body, /name="model\.arima" value="on">/);
  assert.match(reply.body, /<option value="log" selected>/);
  assert.match(reply.text, /Models 2: ETS, Theta /);
});

test('the form suggests the title of the series, and a title that was cleared stays cleared', async () => {
  const visitor = newcomer();
  const suggested = 'Atmospheric CO2 at Mauna Loa';
  assert.equal(typedIn(await visitor.get(at(CO2)), 'title'), suggested);
  const cleared = await visitor.get(at({ ...CO2, title: '' }));
  assert.equal(typedIn(cleared, 'title'), undefined);
  assert.match(cleared.body, /return_to=%2Fnew%3F[^"]*%26title%3D[%"]/, 'also after a sign-in');
  const JOBLESS = { source: 'economic_series', provider: 'bundled', series_id: 'us-unemployment-by-industry' };
  const chosen = {
    ...JOBLESS,
    value_field: 'rate',
    'dim.industry': 'Mining and Extraction',
    horizon: '3',
    limit: '60',
  };
  const first = typedIn(await visitor.get(at(chosen)), 'title') ?? '';
  assert.match(first, /^[^()]+ \(Mining and Extraction\)$/);
  // The suggestion follows a choice that was changed since.
  const other = { ...chosen, 'dim.industry': 'Construction', title: first, suggested_title: first };
  const next = await visitor.get(at(other));
  assert.equal(typedIn(next, 'title'), first.replace('Mining and Extraction', 'Construction'));
  const cost = await visitor.get(at({ ...chosen, part: 'cost' }));
  assert.ok(cost.body.includes(`id="suggested">"${first}"<`), 'the script shows it');
  const created = await visitor.post('/new', { ...other, 'model.ets': 'on', key: keyOf(next) });
  assert.equal(created.status, 303, created.text);
  const named = await visitor.get(created.location ?? '');
  assert.match(named.body, /<h1[^>]*>[^<]*\(Construction\)/);
});

const REFUSED: readonly (readonly [field: string, typed: string, error: RegExp])[] = [
  ['horizon', '0', /^Horizon must be a whole number from 1 to 96\.$/],
  ['horizon', '97', /^Horizon: your plan allows at most 96\.$/],
  ['horizon', '1000', /^Horizon: your plan allows at most 96\.$/],
  ['horizon', 'a year', /^Horizon must be a whole number from 1 to 96\.$/],
  ['horizon', '2.5', /^Horizon must be a whole number from 1 to 96\.$/],
  ['horizon', '', /^Horizon is required\.$/],
  ['horizon', '1e2', /^Horizon must be a whole number from 1 to 96\.$/],
  ['quantiles', '0.1, 2', /^Quantiles must lie between 0\.001 and 0\.999, not 2\.$/],
  ['quantiles', 'ten', /^Quantiles must be a number\.$/],
  ['cutoff', '2024-02-31', /^Cutoff must be a date and time/],
  ['cutoff', 'last year', /^Cutoff must be a date and time/],
  ['seed', '-1', /^Seed must be a whole number from 0 to 9,007,199,254,740,991\.$/],
  ['seed', '99999999999999999999', /^Seed must be a whole number from 0 to 9,007,199,254,740,991\.$/],
  ['limit', '2', /^Rows must be a whole number from 3 to 50,000\.$/],
  ['settle_days', '999', /^Days until a value is final must be a whole number from 0 to 365\.$/],
  ['title', 'x'.repeat(201), /^Title must have at most 200 characters\.$/],
];

test('a refused choice has its error beside it and stays as it was typed', async () => {
  const visitor = newcomer();
  for (const [field, typed, error] of REFUSED) {
    const reply = await visitor.get(at({ ...CO2, horizon: '12', [field]: typed }));
    assert.equal(reply.status, 200, typed);
    assert.match(errorOf(reply, field) ?? reply.text, error, `${field} ${typed}`);
    assert.equal(typedIn(reply, field) ?? '', typed);
    assert.match(reply.text, /The cost is not known yet/);
  }
  const several = await visitor.get(at({ ...CO2, horizon: 'x', seed: '-1', quantiles: 'a' }));
  for (const field of ['horizon', 'seed', 'quantiles']) assert.ok(errorOf(several, field), field);
  const vintage = await visitor.get(at({ ...CO2, as_known_at_cutoff: 'on', cutoff: '120' }));
  assert.match(
    errorOf(vintage, 'as_known_at_cutoff') ?? '',
    /^Values as known then: the provider bundled has no vintages/,
  );
});

test('a refused weight has its error beside its own field, with the name of the model', async () => {
  const visitor = newcomer();
  for (const typed of ['-2', '1,5']) {
    const fields = {
      ...CO2,
      value_field: 'co2',
      weight_mode: 'manual',
      'weight.ets': typed,
      'weight.theta': '1',
      horizon: '12',
    };
    const reply = await visitor.get(at(fields));
    assert.match(
      errorOf(reply, 'weight\\.ets') ?? '',
      /^Weight of Exponential smoothing must be a number that is 0 or more/,
    );
    assert.match(reply.body, /<input id="weight\.ets"[^>]* aria-invalid="true" aria-describedby="weight\.ets-error">/);
    assert.doesNotMatch(reply.body, /<input id="weight\.theta"[^>]* aria-invalid/);
    const sent = await visitor.post('/new', { ...fields, key: keyOf(reply) });
    assert.equal(sent.status, 400);
    assert.match(sent.body, /<a href="#weight\.ets">Weight of /);
  }
  const unknown = await visitor.get(at({ ...CO2, horizon: '12', weight_mode: 'manual', 'weight.none': '-2' }));
  assert.ok(errorOf(unknown, 'weights') ?? errorOf(unknown, 'models'), 'a model without a field');
});

test('typed weights and a day as the cutoff reach the estimate', async () => {
  const visitor = newcomer();
  const chosen = {
    ...CO2,
    'model.ets': 'on',
    'model.theta': 'on',
    'weight.ets': '2',
    'weight.theta': '1',
    'weight.arima': '9',
  };
  const reply = await visitor.get(at({ ...chosen, weight_mode: 'manual', cutoff: '2000-01-31' }));
  assert.match(reply.text, /none, the weights are given/);
  assert.doesNotMatch(reply.text, /already over/);
  const short = await visitor.get(at({ ...CO2, limit: '3', horizon: '1' }));
  assert.match(short.text, /Tests on the past\b.* none, 3 rows are too few/);
});

test('the fast mode is a choice beside the horizon, and the estimate shows what it costs', async () => {
  const visitor = newcomer();
  const creditsOf = ({ body }: PageReply) => Number(/<p class="figure">(\d+) /.exec(body)?.[1]);
  const full = await visitor.get(at(CO2));
  assert.match(full.body, /<input type="radio" id="mode-full" name="mode" value="full" checked>/);
  // Without a script, the form also sends the models that it suggests.
  const suggested = Object.fromEntries(
    [...full.body.matchAll(/name="(model\.\w+)" value="on" checked/g)].map(([, name = '']) => [name, 'on']),
  );
  assert.equal(Object.keys(suggested).length, 5);
  const fast = await visitor.get(at({ ...CO2, mode: 'fast', ...suggested }));
  assert.match(fast.body, /<input type="radio" id="mode-fast" name="mode" value="fast" checked>/);
  assert.match(fast.text, /none, the mode is fast/);
  assert.deepEqual([creditsOf(fast), creditsOf(full)], [3 * 2, 4 * 7]);
  const part = await visitor.get(
    at({ ...CO2, value_field: 'co2', horizon: '12', mode: 'fast', ...suggested, part: 'cost' }),
  );
  assert.equal(creditsOf(part), 6, 'also for the script');

  const named = await visitor.get(at({ ...CO2, mode: 'fast', 'model.ets': 'on' }));
  assert.match(errorOf(named, 'mode') ?? '', /^Mode: fast determines the models and weights itself\./);
  const sent = { ...CO2, value_field: 'co2', horizon: '3', mode: 'fast', ...suggested, key: keyOf(fast) };
  const created = await visitor.post('/new', sent);
  assert.equal(created.status, 303, created.text);
  const page = await visitor.get(created.location ?? '');
  for (const words of [/Seasonal naive/, /Theta/]) assert.match(page.text, words);
  assert.doesNotMatch(page.text, /Prophet/);
});

test('the suggested models are not named, so that those are fitted that help on such series', async () => {
  const visitor = newcomer();
  const long = { ...APPLE, limit: '500', horizon: '5' };
  const reply = await visitor.get(at({ ...long, 'model.prophet': 'on', 'model.arima': 'on' }));
  assert.doesNotMatch(reply.text, /Not fitted/);
  const all = ['prophet', 'toto', 'ets', 'theta', 'arima'].map((id) => [`model.${id}`, 'on']);
  for (const fields of [long, { ...long, ...Object.fromEntries(all) }]) {
    const { text } = await visitor.get(at(fields));
    assert.match(
      text,
      /Models 4: Toto, ARIMA, Seasonal naive, Multiple seasonality Not fitted Prophet, ETS, Theta: no help on such series/,
    );
  }
});

test('the cost alone comes with the errors of the fields, for the script of the form', async () => {
  const visitor = newcomer();
  const cost = await visitor.get(at({ ...APPLE, horizon: '20', part: 'cost', period: 'session' }));
  assert.match(cost.body, /<div id="cost" class="stack">.*<p class="figure">\d+ <small>credits</s);
  assert.match(cost.body, /id="refusals">\{\}</);
  const refused = await visitor.get(at({ ...APPLE, horizon: '999', part: 'cost' }));
  assert.match(refused.body, /id="refusals">\{"horizon":"Horizon: your plan allows at most 96\."\}</);
});

test('submitting the form creates one forecast, also when it is submitted again', async () => {
  const visitor = newcomer();
  const form = await visitor.get(at(CO2));
  const sent = { ...CO2, value_field: 'co2', horizon: '3', 'model.ets': 'on', title: 'Air', key: keyOf(form) };
  const created = await visitor.post('/new', sent);
  assert.equal(created.status, 303, created.text);
  assert.match(created.location ?? '', /^\/forecasts\/[\w-]+$/);
  const repeated = await visitor.post('/new', sent);
  assert.equal(repeated.location, created.location);

  const other = await visitor.post('/new', { ...sent, horizon: '4' });
  assert.equal(other.status, 429, 'a changed form is another forecast, and the slot of the guest is taken');
  assert.match(other.text, /Another forecast is still running/);
  assert.ok(other.body.includes(`href="${created.location}"`), 'a link leads to the running forecast');
  assert.match(other.body, /href="\/auth\/sign-in\?return_to=%2Fnew%3Fsource%3Deconomic_series/);
  assert.equal(typedIn(other, 'horizon'), '4');
  assert.equal(typedIn(other, 'title'), 'Air');
  assert.notEqual(keyOf(other), sent.key);
  const look = await visitor.get(at(CO2));
  assert.equal(look.status, 200);
  assert.match(look.text, /Air is queued\./);
});

test('a refused submission keeps the form and creates nothing', async () => {
  const visitor = newcomer();
  const key = keyOf(await visitor.get(at(CO2)));
  const long = await visitor.post('/new', { ...CO2, horizon: '97', title: 'Long', key });
  assert.equal(long.status, 400);
  assert.match(long.body, /<title>Error: /);
  assert.match(long.body, /<div class="alert" role="alert" tabindex="-1" autofocus>/);
  assert.match(long.body, /<a href="#horizon">Horizon: your plan allows at most 96\.<\/a>/);
  assert.equal(typedIn(long, 'title'), 'Long');
  for (const wrong of ['', 'short', 'a b c d e f g h', 'x'.repeat(65)]) {
    const reply = await visitor.post('/new', { ...CO2, horizon: '3', key: wrong });
    assert.equal(reply.status, 400);
    assert.match(reply.text, /The form was not complete/);
  }
  assert.equal((await visitor.post('/new', { horizon: '3', key })).status, 400);
  assert.equal((await visitor.post('/new', `${new URLSearchParams(CO2)}&horizon=3&horizon=4&key=${key}`)).status, 400);
  const foreign = await visitor.post(
    '/new',
    { ...CO2, horizon: '3', key },
    { headers: { origin: 'https://evil.example' } },
  );
  assert.equal(foreign.status, 403);
  assert.match((await visitor.get(at(CO2))).text, /You have 500 credits left/);
});

test('an account can publish a forecast, or make it in a workspace', async () => {
  const { email } = await makeAccount(service.identity);
  const session = await withSession(service.identity, email);
  const { data: workspace } = await requestAs(service.app, session)<{ readonly id: string }>('POST', '/v1/workspaces', {
    name: 'Weather desk',
  });
  const visitor = newcomer();
  const [name = '', secret = ''] = (session.cookie ?? '').split('=');
  visitor.cookies.set(name, secret);
  const form = await visitor.get(at({ ...CO2, workspace_id: workspace.id }));
  assert.match(form.body, new RegExp(`<option value="${workspace.id}" selected>Weather desk</option>`));
  assert.match(form.text, /Your plan allows at most 365 months\./);
  const sent = { ...CO2, value_field: 'co2', horizon: '3', 'model.ets': 'on', key: keyOf(form) };
  assert.equal((await visitor.post('/new', { ...sent, visibility: 'public' })).status, 303);
  assert.equal((await visitor.post('/new', { ...sent, workspace_id: workspace.id })).status, 303);
  const without = await visitor.post('/new', { ...sent, visibility: 'workspace' });
  assert.match(errorOf(without, 'visibility') ?? '', /requires a workspace_id/);
  assert.equal((await visitor.get(at({ ...CO2, workspace_id: 'wsp_other' }))).status, 403);
});

test('hostile addresses are refused without an internal error', async () => {
  const visitor = newcomer();
  const many = Array.from({ length: 400 }, (_, i) => `model.m${i}=on`).join('&');
  for (const [path, status] of [
    ['/new?source=market', 400],
    ['/new?source=market&symbol=a&symbol=b&timeframe=1D', 400],
    ['/new?source=market&symbol=AAPL&timeframe=1D&horizon=1&horizon=2', 200],
    ['/new?source=market&symbol=AAPL&timeframe=forever', 400],
    ['/new?source=market&symbol=NO_SUCH_SYMBOL&timeframe=1D', 404],
    ['/new?source=economic_series&provider=bundled&series_id=none', 404],
    ['/new?source=economic_series&provider=bundled&series_id=mauna-loa-co2&dim.__proto__=x', 200],
    [`${at(CO2)}&${many}`, 200],
    [`${at(CO2)}&weight_mode=manual&weight.__proto__=1&weight.ets=%00`, 200],
    [`${at(CO2)}&title=%00&quantiles=${'0.5,'.repeat(500)}`, 200],
    [`${at(CO2)}&part=cost&horizon=%F0%9F%98%80`, 200],
    [`${at(CO2)}&workspace_id=wsp_x`, 200],
    [`${at(CO2)}&visibility=public`, 200],
  ] as const) {
    const reply = await visitor.get(path);
    assert.equal(reply.status, status, `${path.slice(0, 120)} ${reply.text.slice(-300)}`);
    assert.doesNotMatch(reply.body, /Something went wrong|\[object|undefined<|NaN/);
  }
});
