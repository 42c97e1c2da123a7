import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError, type OutboundReply } from '../../platform/index.ts';
import { createProviderHttp, type ProviderHttpOptions } from './ask.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import { readRetryAfter } from './retry-after.ts';

type Step = OutboundReply | OutboundError | Error;

const START = Date.UTC(2025, 0, 1);
const GOOD = reply(200, '{"fine":true}');

function reply(
  status: number,
  text = 'the reply of the provider',
  headers: Record<string, string> = {},
): OutboundReply {
  return { status, text, headers: new Headers(headers) };
}

/** A provider that answers by script (the last step again and again), and a clock that only waiting moves. */
function scripted(steps: readonly Step[], options: Partial<ProviderHttpOptions> = {}) {
  const waits: number[] = [];
  let [now, asked] = [START, 0];
  const http = createProviderHttp({
    provider: 'example',
    requestsPerMinute: 60,
    budget: async () => 0,
    random: () => 1,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    get: async () => {
      const step = steps[Math.min(asked++, steps.length - 1)] ?? GOOD;
      if (step instanceof Error) throw step;
      return step;
    },
    ...options,
  });
  return { http, waits, asked: () => asked };
}

async function assertFault(steps: readonly Step[], fault: ProviderFault, tries: number): Promise<number[]> {
  const { http, waits, asked } = scripted(steps);
  await assert.rejects(http.getJson('http://example/?key=hidden'), (error) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.fault, fault);
    assert.doesNotMatch(error.message, /the reply of the provider|hidden/);
    return true;
  });
  assert.equal(asked(), tries);
  return waits;
}

test('a good reply is asked for once', async () => {
  const { http, waits, asked } = scripted([GOOD]);
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
  assert.deepEqual([waits, asked()], [[], 1]);
});

test('passing faults are tried four times, with longer and longer waits', async () => {
  const passing: [Step, ProviderFault][] = [
    [reply(429), 'RATE_LIMITED'],
    [reply(500), 'UNAVAILABLE'],
    [reply(503), 'UNAVAILABLE'],
    [new OutboundError('timeout'), 'TIMEOUT'],
    [new OutboundError('unreachable', 'ECONNREFUSED'), 'UNREACHABLE'],
    [new OutboundError('truncated'), 'TRUNCATED'],
  ];
  for (const [step, fault] of passing) {
    assert.deepEqual(await assertFault([step], fault, 4), [250, 500, 1_000]);
    const { http } = scripted([step, step, step, GOOD]);
    assert.deepEqual(await http.getJson('http://example/'), { fine: true });
  }
});

test('waits are drawn from nothing up to the whole backoff', async () => {
  const { http, waits } = scripted([reply(500), reply(500), GOOD], { random: () => 0.1 });
  await http.getJson('http://example/');
  assert.deepEqual(waits, [25, 50]);
});

test('lasting faults are not tried again', async () => {
  const lasting: [Step, ProviderFault][] = [
    [reply(401), 'UNAUTHORIZED'],
    [reply(403), 'UNAUTHORIZED'],
    [reply(404), 'UNKNOWN_SYMBOL'],
    [reply(400), 'MALFORMED'],
    [reply(422), 'MALFORMED'],
    [new OutboundError('too_large'), 'TOO_LARGE'],
  ];
  for (const [step, fault] of lasting) await assertFault([step], fault, 1);
});

test('nonsense is tried once more, whatever went wrong before', async () => {
  await assertFault([reply(200, '<html>')], 'MALFORMED', 2);
  await assertFault([new OutboundError('malformed')], 'MALFORMED', 2);
  await assertFault([reply(500), reply(200, '{"cut":')], 'MALFORMED', 3);
  const { http } = scripted([reply(200, ''), GOOD]);
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
});

test('Retry-After is waited for, unless it is beyond the deadline', async () => {
  const inThreeSeconds = new Date(START + 3_000).toUTCString();
  for (const header of ['3', inThreeSeconds]) {
    const { http, waits } = scripted([reply(429, '', { 'retry-after': header }), GOOD]);
    await http.getJson('http://example/');
    assert.deepEqual(waits, [3_000]);
  }
  assert.deepEqual(await assertFault([reply(429, '', { 'retry-after': '20' })], 'RATE_LIMITED', 1), []);
  assert.deepEqual(await assertFault([reply(503, '', { 'retry-after': '3600' })], 'UNAVAILABLE', 1), []);
});

test('Retry-After is read as seconds or as a date', () => {
  assert.equal(readRetryAfter('0', START), 0);
  assert.equal(readRetryAfter(new Date(START - 5_000).toUTCString(), START), 0);
  for (const header of [null, '', 'soon', '-5', '1.5', '5 minutes', 'Never GMT']) {
    assert.equal(readRetryAfter(header, START), null);
  }
});

test('every try takes its turn in the budget', async () => {
  const turns = [0, 400, 300, 0];
  const { http, waits, asked } = scripted([reply(500), GOOD], { budget: async () => turns.shift() ?? 0 });
  await http.getJson('http://example/');
  assert.deepEqual([waits, asked(), turns], [[250, 400, 300], 2, []]);
});

test('a turn that comes too late is not waited for', async () => {
  const { http, waits, asked } = scripted([GOOD], { budget: async () => 20_000 });
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual([waits, asked()], [[], 0]);

  const turns = [0, 20_000];
  const failed = scripted([reply(500)], { budget: async () => turns.shift() ?? 0 });
  await assert.rejects(
    failed.http.getJson('http://example/'),
    { fault: 'UNAVAILABLE' },
    'the first fault is the reason',
  );
});

test('a provider without a limit has no budget', async () => {
  const budget = () => assert.fail('asked');
  const { http } = scripted([GOOD], { requestsPerMinute: null, budget });
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
});

test('the deadline holds for all requests together', async () => {
  const { http, waits } = scripted([
    reply(429, '', { 'retry-after': '15' }),
    GOOD,
    reply(429, '', { 'retry-after': '6' }),
  ]);
  await http.getJson('http://example/');
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual(waits, [15_000]);
  const late = scripted([GOOD], { deadline: START });
  await assert.rejects(late.http.getJson('http://example/'), { fault: 'TIMEOUT' });
  assert.equal(late.asked(), 0);
});

test('no try is given more time than is left', async () => {
  const given: number[] = [];
  const get: ProviderHttpOptions['get'] = async (_url, { timeoutMs }) => {
    given.push(timeoutMs);
    return reply(429, '', { 'retry-after': '15' });
  };
  const { http } = scripted([], { get });
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual(given, [10_000, 5_000]);
});

test('an abort passes through as it is, while asking and while waiting', async () => {
  const reason = new Error('the caller went away');
  const controller = new AbortController();
  const { signal } = controller;
  const sleep = async () => {
    controller.abort(reason);
    throw new Error('the timer was stopped');
  };
  await assert.rejects(scripted([reply(500)], { signal, sleep }).http.getJson('http://example/'), reason);
  const aborted = scripted([new OutboundError('aborted')], { signal: AbortSignal.abort(reason) });
  await assert.rejects(aborted.http.getJson('http://example/'), reason);
});

test('a fault of our own is not the provider’s', async () => {
  const bug = new TypeError('a bug');
  await assert.rejects(scripted([bug]).http.getJson('http://example/'), bug);
});
