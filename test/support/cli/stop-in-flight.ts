import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InFlight, requestInFlight } from '../api/request-in-flight.ts';
import type { Ending } from './almanac-process.ts';
import type { Service } from './service.ts';

/** A shutdown that is held up takes half of this time, which is longer than a test may take. */
export const LONG_SHUTDOWN = { ALMANAC_SHUTDOWN_SECONDS: '600' };

export interface StoppedService {
  /** The address at which the test reaches the service. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the service has logged so far. */
  readonly log: () => string;
}

let signIns = 0;

/** Stops a service while requests are in flight, and checks how the process ends. Returns how it ended. */
export async function assertStopsWithRequestsInFlight(
  service: Service,
  stop: () => void,
  { url = service.url, headers = {} }: Partial<Pick<StoppedService, 'url' | 'headers'>> = {},
): Promise<Ending> {
  const data = service.environment.ALMANAC_DATA ?? '';
  await assertFinishesRequests({ url, headers, log: service.stderr }, stop);
  const ending = await service.ended;
  const { code, signal, stderr } = ending;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.equal(stderr.match(/"stopping"/g)?.length, 1);
  assert.match(stderr, /"stopped"\}\n$/);
  // A trace collector that hangs is reported after its timeout, which only slow machines reach.
  const others = stderr.split('\n').filter((line) => !line.includes('traces could not be sent'));
  assert.doesNotMatch(others.join('\n'), /"level":(40|50|60)/);
  assert.ok(!existsSync(join(data, 'control.json')));
  assert.ok(!existsSync(join(data, 'almanac.pid')), 'the folder is free');
  return ending;
}

/** Stops a service while requests are in flight. They get complete replies, and no new connection is accepted. */
export async function assertFinishesRequests(service: StoppedService, stop: () => unknown): Promise<void> {
  const upload = await startSignIn(service);
  const hashing = await Promise.all([1, 2].map(() => startSignIn(service)));
  const hashed = hashing.map((request) => request.finish());
  await stop();
  await until(() => service.log().includes('stopping'));
  await assertRefusesConnections(Number(new URL(service.url).port));
  const replies = await Promise.all([...hashed, upload.finish()]);
  for (const { status, headers, body } of replies) {
    assert.equal(status, 401);
    assert.equal(JSON.parse(body).error.request_id, headers['x-request-id']);
  }
  assert.equal(replies.at(-1)?.headers.connection, 'close');
}

/** Starts a sign-in for another account each time: attempts at one account are limited. */
function startSignIn({ url, headers }: StoppedService): Promise<InFlight> {
  const body = { email: `unknown-${++signIns}@example.org`, password: 'a wrong password' };
  return requestInFlight(url, '/api/v1/sessions', body, headers);
}

async function assertRefusesConnections(port: number): Promise<void> {
  await until(async () => {
    const socket = connect(port, '127.0.0.1');
    return new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    }).finally(() => socket.destroy());
  });
}

/** Waits until the condition is met, and fails after `timeoutMs`. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`The condition was not met within ${timeoutMs} ms.`);
    await sleep(10);
  }
}
