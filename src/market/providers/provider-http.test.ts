import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError, type OutboundReply } from '../../platform/index.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import { createProviderHttp, type ProviderHttpOptions } from './provider-http.ts';

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

/** A provider that replies by script, repeating the last step, and a clock that advances only while waiting. */
function scripted(steps: readonly Step[], options: Partial<ProviderHttpOptions> = {}) {
  const waits: number[] = [];
  let [now, requests] = [START, 0];
  const http = createProviderHttp({
    provider: 'example',
    requestsPerMinute: 60,
    takeBudget: async () => 0,
    random: () => 1,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    get: async () => {
      const step = steps[Math.min(requests++, steps.length - 1)] ?? GOOD;
      if (step instanceof Error) throw step;
      return step;
    },
    ...options,
  });
  return { http, waits, requests: () => requests };
}

async function assertFault(steps: readonly Step[], fault: ProviderFault, attempts: number): Promise<number[]> {
  const { http, waits, requests } = scripted(steps);
  await assert.rejects(http.getJson('http://example/?key=hidden'), (error) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.equal(error.fault, fault);
    assert.doesNotMatch(error.message, /the reply of the provider|hidden/);
    return true;
  });
  assert.equal(requests(), attempts);
  return waits;
}

test('sends one request for a good reply', async () => {
  const { http, waits, requests } = scripted([GOOD]);
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
  assert.deepEqual([waits, requests()], [[], 1]);
});

test('makes four attempts at transient faults, with growing delays', async () => {
  const transient: [Step, ProviderFault][] = [
    [reply(429), 'RATE_LIMITED'],
    [reply(500), 'UNAVAILABLE'],
    [reply(503), 'UNAVAILABLE'],
    [new OutboundError('timeout'), 'TIMEOUT'],
    [new OutboundError('unreachable', 'ECONNREFUSED'), 'UNREACHABLE'],
    [new OutboundError('truncated'), 'TRUNCATED'],
  ];
  for (const [step, fault] of transient) {
    assert.deepEqual(await assertFault([step], fault, 4), [250, 500, 1_000]);
    const { http } = scripted([step, step, step, GOOD]);
    assert.deepEqual(await http.getJson('http://example/'), { fine: true });
  }
});

test('draws delays between zero and the full backoff', async () => {
  const { http, waits } = scripted([reply(500), reply(500), GOOD], { random: () => 0.1 });
  await http.getJson('http://example/');
  assert.deepEqual(waits, [25, 50]);
});

test('does not retry permanent faults', async () => {
  const permanent: [Step, ProviderFault][] = [
    [reply(401), 'UNAUTHORIZED'],
    [reply(403), 'UNAUTHORIZED'],
    [reply(404), 'UNKNOWN_SYMBOL'],
    [reply(400), 'MALFORMED'],
    [reply(422), 'MALFORMED'],
    [new OutboundError('too_large'), 'TOO_LARGE'],
  ];
  for (const [step, fault] of permanent) await assertFault([step], fault, 1);
});

test('retries an invalid reply once, whatever failed before', async () => {
  await assertFault([reply(200, '<html>')], 'MALFORMED', 2);
  await assertFault([new OutboundError('malformed')], 'MALFORMED', 2);
  await assertFault([reply(500), reply(200, '{"cut":')], 'MALFORMED', 3);
  const { http } = scripted([reply(200, ''), GOOD]);
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
});

test('waits for the time in Retry-After, unless that passes the deadline', async () => {
  const inThreeSeconds = new Date(START + 3_000).toUTCString();
  for (const header of ['3', inThreeSeconds]) {
    const { http, waits } = scripted([reply(429, '', { 'retry-after': header }), GOOD]);
    await http.getJson('http://example/');
    assert.deepEqual(waits, [3_000]);
  }
  assert.deepEqual(await assertFault([reply(429, '', { 'retry-after': '20' })], 'RATE_LIMITED', 1), []);
  assert.deepEqual(await assertFault([reply(503, '', { 'retry-after': '3600' })], 'UNAVAILABLE', 1), []);
});

test('ignores a Retry-After that is past, or neither seconds nor a date', async () => {
  const past = new Date(START - 5_000).toUTCString();
  for (const header of ['0', past, '', 'soon', '-5', '1.5', '5 minutes', 'Never GMT']) {
    const { http, waits } = scripted([reply(429, '', { 'retry-after': header }), GOOD]);
    await http.getJson('http://example/');
    assert.deepEqual(waits, [250], header);
  }
});

test('takes from the budget for every attempt', async () => {
  const delays = [0, 400, 300, 0];
  const { http, waits, requests } = scripted([reply(500), GOOD], { takeBudget: async () => delays.shift() ?? 0 });
  await http.getJson('http://example/');
  assert.deepEqual([waits, requests(), delays], [[250, 400, 300], 2, []]);
});

test('does not wait for a budget that refills after the deadline', async () => {
  const { http, waits, requests } = scripted([GOOD], { takeBudget: async () => 20_000 });
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual([waits, requests()], [[], 0]);

  const delays = [0, 20_000];
  const failed = scripted([reply(500)], { takeBudget: async () => delays.shift() ?? 0 });
  await assert.rejects(failed.http.getJson('http://example/'), { fault: 'UNAVAILABLE' }, 'the first fault is reported');
});

test('does not use the budget of a provider without a limit', async () => {
  const takeBudget = () => assert.fail('the budget is not used');
  const { http } = scripted([GOOD], { requestsPerMinute: null, takeBudget });
  assert.deepEqual(await http.getJson('http://example/'), { fine: true });
});

test('applies the deadline to all requests together', async () => {
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
  assert.equal(late.requests(), 0);
});

test('gives no attempt more time than is left', async () => {
  const timeouts: number[] = [];
  const get: ProviderHttpOptions['get'] = async (_url, { timeoutMs }) => {
    timeouts.push(timeoutMs);
    return reply(429, '', { 'retry-after': '15' });
  };
  const { http } = scripted([], { get });
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual(timeouts, [10_000, 5_000]);
});

test('throws the reason of an abort during a request and during a delay', async () => {
  const reason = new Error('the caller disconnected');
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

test('passes on errors that are not the provider’s', async () => {
  const bug = new TypeError('a bug');
  await assert.rejects(scripted([bug]).http.getJson('http://example/'), bug);
});
