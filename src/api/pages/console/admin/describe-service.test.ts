import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTroubles, type ServiceState, type Site } from './describe-service.ts';
import { renderService } from './render-service.ts';
import { formatDuration } from './words.ts';

const SOUND: ServiceState = {
  at: '2026-01-02T12:00:00.000Z',
  version: '1.0.0',
  node: 'v24.0.0',
  database: { kind: 'postgres', bytes: 1, problem: null },
  accounts: { total: 1, locked: 0, administrators: 1 },
  providers: [],
  queues: [{ name: 'forecasts', waiting: 3, oldest_seconds: 20, running: 1 }],
  forecast_queues: [{ engine: '5', waiting: 3, oldest_seconds: 20, workers: 1 }],
  worker_seen_at: '2026-01-02T11:59:50.000Z',
  stamper: {
    kind: null,
    pending: 0,
    stamping: 0,
    stamped: 0,
    waiting: {},
    oldest_unstamped_at: null,
    last_stamped_at: null,
  },
};

const PROVIDER = {
  id: 'fred',
  supplies: 'economic',
  configured: true,
  state: 'open',
  last_success_at: null,
  last_failure: { at: '2026-01-02T11:00:00.000Z', fault: 'TIMEOUT' },
  requests_left: 0,
  listing: null,
} as const;

const SITE: Site = { hasMailServer: true, isLoopback: false };

const troublesOf = (fields: Partial<ServiceState>, site = SITE) =>
  listTroubles({ ...SOUND, ...fields }, site).map(({ what }) => what);

test('lists nothing while everything works', () => {
  assert.deepEqual(troublesOf({}), []);
  assert.deepEqual(troublesOf({ providers: [{ ...PROVIDER, configured: false }] }), [], 'a provider that is not used');
});

test('names providers that have not answered yet, and does not say that they work', () => {
  const answered = { ...PROVIDER, state: 'closed', requests_left: 5, last_success_at: SOUND.at } as const;
  const render = (...providers: ServiceState['providers']) => renderService({ ...SOUND, providers }, SITE).text;
  assert.match(render(answered), /Everything works/);
  const untried = { ...answered, id: 'ecb', last_success_at: null, last_failure: null };
  const text = render(answered, untried);
  assert.doesNotMatch(text, /Everything works|every provider in use gets requests|In use<.*In use</s);
  assert.match(text, /Nothing needs attention.*Not used yet: ecb\. No request has been sent/s);
  assert.match(text, /ecb<.*<span class="tag plain">Not used yet</s);
  assert.match(render({ ...answered, last_success_at: null, requests_left: null }), /Everything works/, 'bundled');
});

test('a provider whose every request failed needs attention, in the headline and in its row', () => {
  const silent = { ...PROVIDER, state: 'closed', requests_left: 5 } as const;
  const { text } = renderService({ ...SOUND, providers: [silent] }, SITE);
  assert.match(text, /1 thing needs attention/);
  assert.match(text, /fred has not answered any request so far \(TIMEOUT\)\.<.* Run “almanac providers check fred”/);
  assert.match(text, /<span class="tag warning">No answer so far</);
  assert.doesNotMatch(text, /ot used yet/);
});

test('a missing mail server needs attention, except on the machine of the service, where it is information', () => {
  assert.deepEqual(troublesOf({}, { hasMailServer: false, isLoopback: false }), ['No mail server is set up.']);
  const { text } = renderService(SOUND, { hasMailServer: false, isLoopback: true });
  assert.match(text, /Everything works.*No mail server is set up.*ALMANAC_SMTP_URL/s);
  assert.doesNotMatch(renderService(SOUND, SITE).text, /mail server/);
});

test('lists what needs attention, the most urgent first', () => {
  const stamper = { ...SOUND.stamper, kind: 'vbase', pending: 2, oldest_unstamped_at: '2025-12-30T12:00:00.000Z' };
  assert.deepEqual(
    troublesOf({
      database: { ...SOUND.database, problem: 'disk full' },
      worker_seen_at: '2026-01-02T11:50:00.000Z',
      queues: [{ name: 'mail', waiting: 1, oldest_seconds: 4_000, running: 0 }],
      providers: [PROVIDER],
      stamper,
    }),
    [
      'The database accepts no changes: disk full.',
      'No worker was seen for 10 min.',
      'Emails: 1 job ready, the oldest for 1 h 6 min.',
      'fred failed repeatedly (TIMEOUT) and gets no requests for now.',
      '2 proofs wait to be stamped, the oldest for 3 days.',
    ],
  );
  assert.deepEqual(troublesOf({ worker_seen_at: null }), ['No worker has ever run.']);
  const unserved = { engine: '6', waiting: 2, oldest_seconds: 130, workers: 0 };
  assert.deepEqual(troublesOf({ forecast_queues: [unserved, { ...unserved, workers: 1 }] }), [
    '2 forecasts wait for engine 6, and no worker has it.',
  ]);
});

test('writes durations in units that people read', () => {
  assert.deepEqual([5.4, 90, 4_000, 200_000].map(formatDuration), ['5 s', '1 min', '1 h 6 min', '2 days']);
});
