import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOUR_MS, type Hours, MINUTE_MS, newYorkDate, sessionHours } from '../../src/calendar/index.ts';
import { FORECASTS, waitFor } from '../support/forecasts/forecast-service.ts';
import {
  correctClose,
  dayOf,
  HALTED,
  type LivingMarket,
  SPLIT,
  startLivingMarket,
} from '../support/market/living-market.ts';
import {
  createMarketAccount,
  dateOf,
  type MarketAccount,
  predictedTimes,
  type Row,
} from '../support/market/market-account.ts';
import { aggregateMinutes } from '../support/market/market-history.ts';
import { type MarketService, openMarketService } from '../support/market/market-service.ts';
import { EVENTS } from '../support/scout/events.ts';

// One service lives through two weeks of sessions, in the order of the tests: each moves the clock. It was off between
// 2024-11-08 and 2024-11-26.

let market: LivingMarket;
let service: MarketService;
let account: MarketAccount;
/** Another account, whose only filter is about a stock that is listed on 11-07. */
let newcomer: MarketAccount;
let administrator: MarketAccount;
/** A filter that always matches. */
let everything: string;
/** A filter for prices that fell by half in a day. */
let crashes: string;
/** What a later step needs. */
const kept: Record<string, string> = {};

before(async () => {
  market = await startLivingMarket();
  // With few symbols, one that is missing is a large share, and the run would wait for half a day.
  const environment = { ...market.environment, ALMANAC_SCREENER_WAIT_MINUTES: '60' };
  service = await openMarketService(market.clock, environment);
  account = await createMarketAccount(service);
  newcomer = await createMarketAccount(service);
  administrator = await createMarketAccount(service, { administrator: true });
  const anyPrice = { field: 'close', op: 'gt', value: 1 };
  everything = await account.saveFilter('Everything', [anyPrice, { field: 'change_pct', op: 'gt', value: -100 }]);
  crashes = await account.saveFilter('Crashes', [{ field: 'change_pct', op: 'lt', value: -50 }]);
  await newcomer.saveFilter('Nova', [anyPrice], ['NOVA']);
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await market?.[Symbol.asyncDispose]();
});

let hasFailed = false;

/** Declares the next step of the story. After a failure, the later steps are skipped, because they build on it. */
function step(name: string, body: () => Promise<void>): void {
  test(name, async (context) => {
    if (hasFailed) return context.skip('an earlier step failed');
    hasFailed = true;
    await body();
    hasFailed = false;
  });
}

/** Returns the completed bars of ACME within a day since an instant, without the service. */
function expectedBars(step: number, since: string, hours: Hours = 'regular'): Row[] {
  const now = market.clock.now().getTime();
  const closeOf = (timestamp: number) => sessionHours(newYorkDate(timestamp), hours).close;
  const inHours = (market.stocks.ACME.minutes ?? []).filter(({ timestamp }) => {
    const { open } = sessionHours(newYorkDate(timestamp), hours);
    return timestamp >= open && timestamp < closeOf(timestamp) && timestamp + MINUTE_MS <= now;
  });
  return aggregateMinutes(inHours, step)
    .filter(({ timestamp }) => timestamp >= Date.parse(since))
    .filter(({ timestamp }) => Math.min(timestamp + step, closeOf(timestamp)) <= now)
    .map((bar) => ({ ...bar, timestamp: new Date(bar.timestamp).toISOString() }));
}

/** Requests bars of ACME within a day and compares them with the history. Returns when they begin. */
async function checkIntraday(timeframe: '1h' | '1min', since: string, session: Hours = 'regular'): Promise<string[]> {
  const { rows } = await account.readHistory('ACME', timeframe, {
    start: since,
    session,
    limit: 2000,
    adjustment: 'raw',
  });
  assert.deepEqual(rows, expectedBars(timeframe === '1h' ? HOUR_MS : MINUTE_MS, since, session));
  return rows.map(({ timestamp }: Row) => timestamp);
}

function hoursOf(timestamps: readonly string[], date: string): number[] {
  return timestamps.filter((one) => one.startsWith(date)).map((one) => Number(one.slice(11, 13)));
}

function isNear(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= 1e-9 * Math.abs(expected);
}

/** Returns a provider as an administrator sees it. */
async function readProvider(id: string) {
  const { providers } = await administrator.ask('GET', '/v1/market-data/providers');
  return providers.find((one: { id: string }) => one.id === id);
}

/** Returns the requests for bars since the last call. */
function takeBarRequests(): string[] {
  return market.takeRequests().filter((one) => !one.endsWith(' listing'));
}

step('Thursday, 10-31: the service starts with listings and the days of past sessions', async () => {
  const requests = new Set(market.takeRequests());
  assert.ok(requests.has('alpaca listing') && requests.has('massive listing') && requests.has('alpaca days'));
  assert.ok(!requests.has('dukascopy listing'), 'currencies are not listed before they are used');
  assert.equal((await account.search('mill street')).length, 2);
  assert.ok(!(await account.search('nova batteries')).some((one) => one.startsWith('NOVA')));
  const { rows } = await account.readHistory('HALT');
  assert.ok(!rows.some(({ timestamp }: Row) => Date.parse(timestamp) === HALTED), 'a day without trades stays a gap');
});

step('Thursday, 10-31: the run of the evening needs one request and sends one email', async () => {
  market.takeRequests();
  await service.moveTo('2024-10-31T20:40:00Z');
  assert.deepEqual(takeBarRequests(), ['alpaca days']);
  assert.deepEqual(await account.readMails(), ['2024-10-31 sent']);
  const { session, values, missing } = await account.readMatches(everything);
  assert.deepEqual([session, Object.keys(values), missing], ['2024-10-31', ['ACME', 'BOLT', 'HALT', 'OLDF'], []]);
  assert.match(service.mail.mails[0]?.text ?? '', /close of Thursday, October 31, 2024/);
});

step('Friday, 11-01: during the session only completed bars are served', async () => {
  await service.moveTo('2024-11-01T15:00:30Z');
  assert.equal(await account.lastDay('ACME'), '2024-10-31');
  const minutes = await checkIntraday('1min', '2024-10-31T19:00:00Z');
  assert.deepEqual([minutes[60], minutes.at(-1)], ['2024-11-01T13:30:00.000Z', '2024-11-01T14:59:00.000Z']);
  const extended = await checkIntraday('1min', '2024-10-31T19:00:00Z', 'extended');
  const early = extended.filter((one) => one > '2024-11-01' && one < '2024-11-01T13:30');
  assert.deepEqual(
    early.slice(0, 2).map((one) => one.slice(11, 16)),
    ['08:05', '08:12'],
    'minutes without trades stay gaps',
  );
  await checkIntraday('1h', '2024-10-31T00:00:00Z');
});

step('Friday, 11-01: questions are accepted about sessions, not about a holiday', async () => {
  const { ACME } = market.stocks;
  const holiday = await account.publish('ACME', '2024-11-28', 'gt', 1);
  assert.deepEqual([holiday.status, holiday.body.error.code], [400, 'INVALID_REQUEST']);
  const monday = await account.publish('ACME', '2024-11-04', 'gt', dayOf(ACME, '2024-11-04').close - 0.01);
  const halfDay = await account.publish('ACME', '2024-11-29', 'gt', dayOf(ACME, '2024-11-29').close);
  const pair = await account.publish('EURUSD', '2024-11-04', 'gt', 0.5);
  for (const { status, body } of [monday, halfDay, pair]) assert.equal(status, 201, JSON.stringify(body));
  Object.assign(kept, {
    monday: monday.body.data.forecast_id,
    halfDay: halfDay.body.data.forecast_id,
    pair: pair.body.data.forecast_id,
  });
});

step('Friday, 11-01: forecasts in the evening skip the weekend, and cutoffs select earlier rows', async () => {
  market.takeRequests();
  await service.moveTo('2024-11-01T20:40:00Z');
  assert.deepEqual(takeBarRequests(), ['alpaca days'], 'one request for the closes of all stocks');
  assert.deepEqual(await account.readMails(), ['2024-10-31 sent', '2024-11-01 sent']);
  const days = ['2024-11-04', '2024-11-05', '2024-11-06'];
  const latest = await account.forecast('ACME');
  assert.deepEqual(predictedTimes(latest).map(dateOf), days);
  assert.deepEqual([latest.settings.source.provider, latest.settings.fallback_used], ['alpaca', undefined]);
  const before = await account.forecast('ACME', { cutoff: 7 });
  assert.deepEqual(predictedTimes(before).map(dateOf), ['2024-10-28', '2024-10-29', '2024-10-30']);
  // The session of 10-25 ended at this instant, that of 10-28 had not begun.
  const instant = await account.forecast('ACME', { cutoff: '2024-10-25T20:00:00Z' });
  assert.equal(instant.snapshot.sha256, before.snapshot.sha256);
  const hours = await account.forecast('ACME', { horizon: 8, limit: 12 }, { timeframe: '1h' });
  assert.deepEqual(
    predictedTimes(hours).slice(0, 2),
    ['2024-11-04T14:00:00.000Z', '2024-11-04T15:00:00.000Z'],
    'after the clock change the session is an hour later in UTC',
  );
  const pair = await account.forecast('eur/usd', {}, { timeframe: '1h' });
  assert.deepEqual(predictedTimes(pair), [
    '2024-11-01T20:00:00.000Z',
    '2024-11-03T22:00:00.000Z',
    '2024-11-03T23:00:00.000Z',
  ]);
  assert.deepEqual([pair.settings.series_kind, pair.settings.source.provider], ['currency', 'dukascopy']);

  const body = { forecast_id: latest.forecast_id, changes_pct: [-40, 0, 40], steps: [1] };
  const { forecasts } = await account.ask('POST', '/v1/scout/from-forecast', body);
  assert.deepEqual(
    forecasts.map((one: { resolution_rule: { observed_at: string } }) => dateOf(one.resolution_rule.observed_at)),
    [days[0], days[0], days[0]],
  );
});

step('11-02 and 11-03: on the weekend no provider is requested for known bars', async () => {
  await service.moveTo('2024-11-02T12:00:00Z');
  assert.equal(await account.lastDay('EURUSD'), '2024-11-01', 'the last day of the week is complete');
  takeBarRequests();
  await service.moveTo('2024-11-03T12:00:00Z');
  assert.equal(await account.lastDay('ACME'), '2024-11-01');
  assert.equal(await account.lastDay('EUR-USD'), '2024-11-01');
  await checkIntraday('1min', '2024-11-01T19:00:00Z');
  await checkIntraday('1h', '2024-10-31T00:00:00Z');
  assert.deepEqual(takeBarRequests(), ['alpaca ACME 1Min', 'alpaca ACME 30Min'], 'bars of Friday afternoon');
  await checkIntraday('1min', '2024-11-01T19:00:00Z');
  await checkIntraday('1h', '2024-10-31T00:00:00Z');
  await account.forecast('ACME');
  assert.deepEqual(takeBarRequests(), []);
  assert.equal((await account.readMails()).length, 2);
});

step('Monday, 11-04: the session ends an hour later in UTC', async () => {
  await service.moveTo('2024-11-04T20:40:00Z');
  assert.equal(await account.lastDay('ACME'), '2024-11-01');
  assert.equal((await account.readMails()).length, 2);
  assert.equal(await account.readStatus(kept.monday), 'pending');
  await service.moveTo('2024-11-04T21:40:00Z');
  const hours = await checkIntraday('1h', '2024-11-01T00:00:00Z');
  assert.deepEqual(hoursOf(hours, '2024-11-01'), [13, 14, 15, 16, 17, 18, 19]);
  assert.deepEqual(hoursOf(hours, '2024-11-04'), [14, 15, 16, 17, 18, 19, 20]);
  assert.equal((await account.readMails()).at(-1), '2024-11-04 sent');
});

step('Monday, 11-04: rules resolve questions with the close, and forecasts get their scores', async () => {
  const { close } = dayOf(market.stocks.ACME, '2024-11-04');
  assert.equal(await account.readStatus(kept.monday), 'resolved_yes');
  const { evidence, resolved_by: actor } = await account.ask('GET', `${EVENTS}/${kept.monday}/resolution`);
  assert.deepEqual([actor, evidence.provider], ['rule', 'alpaca']);
  assert.deepEqual(evidence.observation, { timestamp: '2024-11-04T00:00:00.000Z', value: close });
  assert.equal(await account.readStatus(kept.pair), 'pending', 'the UTC day has not ended');
  const { overall, groups } = await account.ask('GET', '/v1/scout/scoreboard?group_by=model');
  assert.deepEqual([overall.questions, overall.clusters], [4, 2]);
  const ensemble = groups.find(({ group }: { group: string }) => group === 'almanac_ensemble');
  assert.equal(ensemble.questions, 3);
  assert.ok(ensemble.mean_log_loss > 0 && ensemble.brier < 1);
});

step('Tuesday, 11-05: a forecast uses the close as it is known in the evening', async () => {
  await service.moveTo('2024-11-05T21:40:00Z');
  assert.equal(await account.readStatus(kept.pair), 'resolved_yes');
  const { rows, snapshot_id: snapshotId } = await account.readHistory('BOLT');
  assert.equal(rows.at(-1).close, dayOf(market.stocks.BOLT, '2024-11-05').close);
  kept.boltRows = JSON.stringify(rows);
  kept.boltSnapshot = snapshotId;
  const { forecast_id: id } = await account.forecast('BOLT');
  kept.bolt = id;
  const questions = await account.ask('POST', '/v1/scout/from-forecast', {
    forecast_id: id,
    changes_pct: [0],
    steps: [1],
  });
  kept.boltQuestion = questions.forecasts[0].forecast_id;
  kept.outage = (await account.publish('HALT', '2024-11-07', 'gt', 1)).body.data.forecast_id;
  kept.delisted = (await account.publish('OLDF', '2024-11-07', 'gt', 1)).body.data.forecast_id;
});

step('Wednesday, 11-06: on the morning of a split, the adjusted past has new prices', async () => {
  const { ACME, BOLT } = market.stocks;
  correctClose(BOLT, '2024-11-05', 0.97 * dayOf(BOLT, '2024-11-05').close);
  await service.moveTo('2024-11-06T12:30:00Z');
  const raw = await account.readHistory('ACME', '1D', { adjustment: 'raw' });
  const split = await account.readHistory('ACME');
  assert.equal(dateOf(split.rows.at(-1).timestamp), '2024-11-05');
  assert.equal(split.rows.length, raw.rows.length);
  for (const [i, { close }] of raw.rows.entries()) assert.ok(isNear(split.rows[i].close, close / SPLIT.ratio));
  assert.equal(raw.rows.at(-1).close, dayOf(ACME, '2024-11-05').close);
  const frozen = await account.readHistory('BOLT', '1D', { snapshot_id: kept.boltSnapshot });
  assert.equal(JSON.stringify(frozen.rows), kept.boltRows, 'a snapshot keeps the close before the correction');
});

step('Wednesday, 11-06: the corrected close is served, and a forecast keeps the one that it has used', async () => {
  const { ACME, BOLT } = market.stocks;
  // The listings of the evening are those of the next day.
  market.changeListings();
  await service.moveTo('2024-11-06T21:40:00Z');
  const { rows } = await account.readHistory('BOLT');
  assert.deepEqual(
    rows.slice(-2).map(({ close }: Row) => close),
    [dayOf(BOLT, '2024-11-05').close, dayOf(BOLT, '2024-11-06').close],
  );
  const adjusted = (await account.readHistory('ACME')).rows.slice(-2).map(({ close }: Row) => close);
  assert.ok(isNear(adjusted[0], dayOf(ACME, '2024-11-05').close / SPLIT.ratio));
  assert.equal(adjusted[1], dayOf(ACME, '2024-11-06').close);
  const hours = (await account.readHistory('ACME', '1h', { start: '2024-11-05T00:00:00Z' })).rows;
  const expected = expectedBars(HOUR_MS, '2024-11-05T00:00:00Z');
  assert.equal(hours.length, 14);
  for (const [i, { timestamp, close }] of expected.entries()) {
    assert.equal(hours[i].timestamp, timestamp);
    assert.ok(isNear(hours[i].close, timestamp < '2024-11-06' ? close / SPLIT.ratio : close), timestamp);
  }

  const { forecast_id: id } = await account.ask('POST', `${FORECASTS}/${kept.bolt}/reproduce`);
  const [original, again] = [await account.readForecast(kept.bolt as string), await account.readForecast(id)];
  assert.equal(again.comparison.outcome, 'exact');
  assert.equal(again.snapshot.sha256, original.snapshot.sha256);
  assert.deepEqual(again.predictions, original.predictions);
  const later = await account.forecast('BOLT', { cutoff: '2024-11-05T21:00:00Z' });
  assert.notEqual(later.snapshot.sha256, original.snapshot.sha256, 'a new forecast reads the corrected close');

  const { close } = dayOf(BOLT, '2024-11-06');
  const question = await account.ask('GET', `${EVENTS}/${kept.boltQuestion}`);
  assert.equal(question.status, close > question.resolution_rule.threshold ? 'resolved_yes' : 'resolved_no');
});

step('Wednesday, 11-06: the screener follows the split and the correction', async () => {
  assert.equal((await account.readMails()).at(-1), '2024-11-06 sent');
  assert.deepEqual((await account.readMatches(crashes)).values, {}, 'a split is not a crash');
  const { session, values } = await account.readMatches(everything);
  assert.equal(session, '2024-11-06');
  for (const [symbol, ratio] of [['ACME', SPLIT.ratio] as const, ['BOLT', 1] as const]) {
    const closes = ['2024-11-05', '2024-11-06'].map((date) => dayOf(market.stocks[symbol], date).close);
    const [before = 0, after = 0] = closes;
    assert.ok(Math.abs(values[symbol].change_pct - 100 * ((after * ratio) / before - 1)) < 1e-6, symbol);
  }
});

step('Thursday, 11-07: the second provider takes over while the first one is out', async () => {
  market.setOutage(true);
  market.takeRequests();
  await service.moveTo('2024-11-07T22:10:00Z');
  const { provider, fallbackUsed, rows } = await account.readHistory('ACME');
  assert.deepEqual([provider, fallbackUsed, dateOf(rows.at(-1).timestamp)], ['massive', true, '2024-11-07']);
  const found = await account.forecast('ACME', { cutoff: 2 });
  assert.deepEqual([found.settings.source.provider, found.settings.fallback_used], ['massive', true]);
  assert.deepEqual(predictedTimes(found).map(dateOf), ['2024-11-06', '2024-11-07', '2024-11-08']);
  const question = await account.ask('GET', `${EVENTS}/${kept.outage}/resolution`);
  assert.deepEqual([question.status, question.evidence.provider], ['resolved_yes', 'massive']);
  const named = await account.send('POST', '/market-data/stocks/history', {
    symbol: 'ACME',
    timeframe: '1D',
    source: 'alpaca',
  });
  assert.equal(named.status, 502);
  assert.match(JSON.stringify(named.body), /alpaca/);
  assert.equal((await account.readMails()).at(-1), '2024-11-06 sent', 'the run waits for the provider');
  const { last_failure: failure, requests_left: left } = await readProvider('alpaca');
  assert.deepEqual([failure.fault, left], ['UNAVAILABLE', 0]);
  const failed = market.takeRequests().filter((one) => one.startsWith('alpaca '));
  assert.ok(failed.length <= 5, `no request before the time in Retry-After: ${failed}`);
});

step('Friday, 11-08: after the outage, the run of the evening before is completed and sends its email', async () => {
  market.setOutage(false);
  await service.moveTo('2024-11-08T03:00:00Z');
  assert.equal((await account.readMails()).at(-1), '2024-11-07 sent');
  assert.deepEqual(await newcomer.readMails(), ['2024-11-07 sent']);
  const { session, values, missing } = await account.readMatches(everything);
  assert.deepEqual([session, Object.keys(values), missing], ['2024-11-07', ['ACME', 'BOLT', 'HALT'], ['OLDF']]);
});

step('Friday, 11-08: the first provider is back, and the search follows the listings', async () => {
  await service.moveTo('2024-11-08T22:10:00Z');
  const { provider, fallbackUsed, rows } = await account.readHistory('ACME');
  assert.deepEqual([provider, fallbackUsed, dateOf(rows.at(-1).timestamp)], ['alpaca', false, '2024-11-08']);
  assert.equal((await readProvider('alpaca')).state, 'closed');
  assert.equal(await account.lastDay('NOVA'), '2024-11-08');
  assert.equal(await account.lastDay('OLDF'), '2024-11-06', 'the history of a delisted stock stays');
  const { status, check } = await account.ask('GET', `${EVENTS}/${kept.delisted}`);
  assert.deepEqual([status, check.state], ['pending', 'missing'], 'no close is invented after the last session');
  const annulled = { outcome: 'annulled', actual_outcome: 'OLDF was delisted.', resolution_source: 'The exchange' };
  await account.ask('POST', `${EVENTS}/${kept.delisted}/resolve`, annulled);
  // The search reloads its list in the background.
  const [found] = await waitFor(
    () => account.search('nova batteries'),
    ([first]) => first?.startsWith('NOVA') === true,
  );
  assert.equal(found, 'NOVA active');
  assert.equal((await account.search('eur/huf'))[0], 'EURHUF active', 'Dukascopy lists it, the bundled table does not');
  assert.deepEqual((await account.search('mill street')).slice(0, 2), ['HALT active', 'OLDF delisted']);
  assert.equal((await account.readMails()).at(-1), '2024-11-08 sent');
});

step('Tuesday, 11-26: after a pause, only the latest session gets an email', async () => {
  await service.moveTo('2024-11-26T22:10:00Z');
  const mails = await account.readMails();
  assert.equal(mails.at(-1), '2024-11-26 sent');
  assert.deepEqual(
    mails.filter((one) => one.endsWith(' skipped')),
    ['2024-11-19', '2024-11-20', '2024-11-21', '2024-11-22', '2024-11-25'].map((session) => `${session} skipped`),
  );
  const { values, missing } = await account.readMatches(everything);
  assert.deepEqual([Object.keys(values), missing], [['ACME', 'BOLT', 'HALT', 'NOVA'], []]);
});

step('11-27 and 11-28: a holiday has no run, no email and no request', async () => {
  market.takeRequests();
  await service.moveTo('2024-11-27T21:40:00Z');
  assert.deepEqual(takeBarRequests(), ['alpaca days']);
  assert.equal(await account.lastDay('ACME'), '2024-11-27');
  const mails = await account.readMails();
  assert.equal(mails.at(-1), '2024-11-27 sent');
  assert.deepEqual(takeBarRequests(), [], 'the screener has stored the day');
  await service.moveTo('2024-11-28T15:00:00Z');
  await service.moveTo('2024-11-28T22:10:00Z');
  assert.equal(await account.lastDay('ACME'), '2024-11-27');
  assert.deepEqual(await account.readMails(), mails);
  assert.deepEqual(takeBarRequests(), []);
  assert.deepEqual(predictedTimes(await account.forecast('ACME')).map(dateOf), [
    '2024-11-29',
    '2024-12-02',
    '2024-12-03',
  ]);
  const before = await account.forecast('ACME', { cutoff: 1 });
  assert.deepEqual(predictedTimes(before).map(dateOf), ['2024-11-27', '2024-11-29', '2024-12-02']);
});

step('Friday, 11-29: the early close ends bars, rules and the run at 18:00 UTC', async () => {
  const { ACME } = market.stocks;
  await service.moveTo('2024-11-29T17:40:00Z');
  assert.equal(await account.lastDay('ACME'), '2024-11-27');
  assert.equal((await checkIntraday('1h', '2024-11-29T00:00:00Z')).at(-1), '2024-11-29T16:00:00.000Z');
  assert.equal(await account.readStatus(kept.halfDay), 'pending');
  await service.moveTo('2024-11-29T18:40:00Z');
  assert.equal(await account.lastDay('ACME'), '2024-11-29');
  assert.deepEqual(hoursOf(await checkIntraday('1h', '2024-11-29T00:00:00Z'), '2024-11-29'), [14, 15, 16, 17]);
  assert.equal((await checkIntraday('1min', '2024-11-29T17:00:00Z')).at(-1), '2024-11-29T17:59:00.000Z');
  assert.ok((await checkIntraday('1min', '2024-11-29T17:00:00Z', 'extended')).some((one) => one > '2024-11-29T18:00'));
  assert.equal(await account.readStatus(kept.halfDay), 'resolved_no', 'the close is not above itself');
  const { evidence } = await account.ask('GET', `${EVENTS}/${kept.halfDay}/resolution`);
  assert.equal(evidence.observation.value, dayOf(ACME, '2024-11-29').close);
  assert.equal((await account.readMails()).at(-1), '2024-11-29 sent');
});

step('Monday, 12-02: every session had one email', async () => {
  await service.moveTo('2024-12-02T21:40:00Z');
  const sent = (await account.readMails()).filter((one) => one.endsWith(' sent')).map((one) => one.slice(5, 10));
  const [first, second] = [
    ['10-31', '11-01', '11-04', '11-05', '11-06', '11-07', '11-08'],
    ['11-26', '11-27', '11-29', '12-02'],
  ];
  assert.deepEqual(sent, [...first, ...second]);
  assert.deepEqual(
    (await newcomer.readMails()).filter((one) => one.endsWith(' sent')),
    ['11-07', '11-08', ...second].map((date) => `2024-${date} sent`),
  );
  const months = (await account.readHistory('ACME', '1Month')).rows;
  assert.equal(dateOf(months.at(-1).timestamp), '2024-11-01');
  assert.equal(months.at(-1).close, dayOf(market.stocks.ACME, '2024-11-29').close);
});
