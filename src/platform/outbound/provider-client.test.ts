import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundBytes } from './bounded-request.ts';
import { OutboundError } from './outbound-error.ts';
import { createProviderClient, openProviderClient, type ProviderClientOptions } from './provider-client.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import type { Admission, CallOutcome, ProviderGate } from './provider-gate.ts';

type Step = OutboundBytes | OutboundError | Error;

const START = Date.UTC(2025, 0, 1);
const GOOD = reply(200, '{"fine":true}');

function reply(
  status: number,
  text = 'the reply of the provider',
  headers: Record<string, string> = {},
): OutboundBytes {
  return { status, bytes: Buffer.from(text), headers: new Headers(headers) };
}

/** A provider that replies by script, repeating the last step, and a clock that advances only while waiting. */
function scripted(steps: readonly Step[], options: Partial<ProviderClientOptions> = {}) {
  const waits: number[] = [];
  let [now, requests] = [START, 0];
  const http = createProviderClient({
    provider: 'example',
    gate: null,
    random: () => 1,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    request: async () => {
      const step = steps[Math.min(requests++, steps.length - 1)] ?? GOOD;
      if (step instanceof Error) throw step;
      return step;
    },
    ...options,
  });
  return { http, waits, requests: () => requests };
}

/** A gate that admits by script, then always, and records how calls ended. */
function scriptedGate(admissions: readonly (Admission | number)[], trial: string | null = null) {
  const outcomes: CallOutcome[] = [];
  const left = [...admissions];
  const gate: ProviderGate = {
    enter: async () => {
      const next = left.shift() ?? 0;
      if (typeof next !== 'number') return next;
      return next > 0 ? { kind: 'wait', ms: next } : { kind: 'granted', permit: { trial, isSuccessNews: true } };
    },
    leave: async (_permit, outcome) => {
      outcomes.push(outcome);
    },
  };
  return { gate, outcomes, left };
}

const OPEN: Admission = { kind: 'open', since: new Date(START - 1_000), until: new Date(START + 29_000) };

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
    [new OutboundError('unreachable', 'ECONNRESET'), 'UNREACHABLE'],
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
    [reply(403), 'FORBIDDEN'],
    [reply(404), 'NOT_FOUND'],
    [reply(400), 'REJECTED'],
    [reply(422), 'REJECTED'],
    [new OutboundError('unreachable', 'ECONNREFUSED'), 'UNREACHABLE'],
    [new OutboundError('unreachable', 'ENOTFOUND'), 'UNREACHABLE'],
    [new OutboundError('unreachable', 'EAI_AGAIN'), 'UNREACHABLE'],
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
  const { gate, left, outcomes } = scriptedGate([0, 400, 300, 0]);
  const { http, waits, requests } = scripted([reply(500), GOOD], { gate });
  await http.getJson('http://example/');
  assert.deepEqual([waits, requests(), left, outcomes], [[250, 400, 300], 2, [], ['succeeded']]);
});

test('does not wait for a budget that refills after the deadline', async () => {
  const empty = scriptedGate([20_000]);
  const { http, waits, requests } = scripted([GOOD], { gate: empty.gate });
  await assert.rejects(http.getJson('http://example/'), { fault: 'RATE_LIMITED' });
  assert.deepEqual([waits, requests(), empty.outcomes], [[], 0, []], 'the provider did not fail');

  const { gate, outcomes } = scriptedGate([0, 20_000]);
  const failed = scripted([reply(500)], { gate });
  await assert.rejects(failed.http.getJson('http://example/'), { fault: 'UNAVAILABLE' }, 'the first fault is reported');
  assert.deepEqual(outcomes, [{ fault: 'UNAVAILABLE' }]);
});

test('needs no database for a provider without a budget', () => {
  openProviderClient({}, { id: 'example', requestsPerMinute: null });
  assert.throws(() => openProviderClient({}, { id: 'example', requestsPerMinute: 5 }), TypeError);
});

test('sends no request while the breaker is open and names the pause', async () => {
  const { gate, outcomes } = scriptedGate([OPEN, { ...OPEN, until: null }]);
  const { http, waits, requests } = scripted([GOOD], { gate });
  const since = '2024-12-31T23:59:59.000Z';
  await assert.rejects(http.getJson('http://example/'), {
    fault: 'CIRCUIT_OPEN',
    message: `example failed repeatedly and gets no requests for a while (since ${since}, until 2025-01-01T00:00:29.000Z).`,
  });
  await assert.rejects(http.getJson('http://example/'), {
    message: `example failed repeatedly and gets no requests for a while (since ${since}, while it is tried).`,
  });
  assert.deepEqual([waits, requests(), outcomes], [[], 0, []]);
});

test('does not retry after the breaker has opened', async () => {
  const { gate, outcomes } = scriptedGate([0, OPEN]);
  const { http, requests } = scripted([reply(500)], { gate });
  await assert.rejects(http.getJson('http://example/'), { fault: 'UNAVAILABLE' });
  assert.deepEqual([requests(), outcomes], [1, [{ fault: 'UNAVAILABLE' }]]);
});

test('sends one request as a trial and does not retry it', async () => {
  const { gate, outcomes } = scriptedGate([], 'the trial');
  const { http, waits, requests } = scripted([reply(500), GOOD], { gate });
  await assert.rejects(http.getJson('http://example/'), { fault: 'UNAVAILABLE' });
  assert.deepEqual([requests(), waits], [1, []]);
  await http.getJson('http://example/');
  assert.deepEqual(outcomes, [{ fault: 'UNAVAILABLE' }, 'succeeded']);
});

test('counts a call with all its retries once, and only faults of the provider', async () => {
  const { gate, outcomes } = scriptedGate([]);
  const expected: [Step, CallOutcome][] = [
    [reply(503), { fault: 'UNAVAILABLE' }],
    [reply(429), { fault: 'RATE_LIMITED' }],
    [reply(401), { fault: 'UNAUTHORIZED' }],
    [reply(200, '<html>'), { fault: 'MALFORMED' }],
    [new OutboundError('unreachable', 'ENOTFOUND'), { fault: 'UNREACHABLE' }],
    [new OutboundError('timeout'), { fault: 'TIMEOUT' }],
    [new OutboundError('too_large'), { fault: 'TOO_LARGE' }],
    [reply(403), 'replied'],
    [reply(404), 'replied'],
    [reply(422), 'replied'],
    [new TypeError('a bug'), 'abandoned'],
    [new OutboundError('aborted'), 'abandoned'],
  ];
  for (const [step] of expected) await assert.rejects(scripted([step], { gate }).http.getJson('http://example/'));
  assert.deepEqual(
    outcomes,
    expected.map(([, outcome]) => outcome),
  );
});

test('does not count a timeout of an attempt that had little time', async () => {
  const { gate, outcomes } = scriptedGate([]);
  const { http } = scripted([new OutboundError('timeout')], { gate, deadline: START + 4_000 });
  await assert.rejects(http.getJson('http://example/', { attemptMs: 10_000 }), { fault: 'TIMEOUT' });
  await assert.rejects(http.getJson('http://example/', { attemptMs: 2_000 }), { fault: 'TIMEOUT' });
  assert.deepEqual(outcomes, ['abandoned', { fault: 'TIMEOUT' }]);
});

test('returns the result of a call even if its outcome cannot be recorded', async () => {
  const { gate } = scriptedGate([]);
  const broken: ProviderGate = { ...gate, leave: () => Promise.reject(new Error('the database is gone')) };
  assert.deepEqual(await scripted([GOOD], { gate: broken }).http.getJson('http://example/'), { fine: true });
  const failed = scripted([reply(404)], { gate: broken }).http.getJson('http://example/');
  await assert.rejects(failed, { fault: 'NOT_FOUND' });
});

test('retries a POST request only if it is idempotent', async () => {
  const once = scripted([reply(500), GOOD]);
  await assert.rejects(once.http.postJson('http://example/', {}), { fault: 'UNAVAILABLE' });
  assert.equal(once.requests(), 1);
  const twice = scripted([reply(500), GOOD]);
  assert.deepEqual(await twice.http.postJson('http://example/', {}, { isIdempotent: true }), { fine: true });
  assert.equal(twice.requests(), 2);
});

test('returns text and bytes', async () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22]);
  const raw: OutboundBytes = { ...reply(200), bytes };
  assert.equal(await scripted([reply(200, 'hére')]).http.getText('http://example/'), 'hére');
  assert.deepEqual(await scripted([raw]).http.getBytes('http://example/'), bytes);
  await assert.rejects(scripted([raw]).http.getText('http://example/'), { fault: 'MALFORMED' });
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
  const request: ProviderClientOptions['request'] = async (_url, { timeoutMs }) => {
    timeouts.push(timeoutMs);
    return reply(429, '', { 'retry-after': '15' });
  };
  const { http } = scripted([], { request });
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
