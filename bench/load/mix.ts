import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../api/statistics.ts';
import { type Figures, type Requests, sendAtRate } from './drivers.ts';
import { type PinnedScene, pin, SERVICE_CORE } from './pinned-scene.ts';

/** A kind of request and how often it is sent. */
export interface Stream {
  readonly name: string;
  readonly requests: Requests;
  readonly perSecond: number;
}

export interface MixedFigures {
  readonly streams: readonly (Figures & { readonly name: string })[];
  /** The share of its core that the service used, with its engine and the night. */
  readonly serviceShare: number;
  readonly serverShare: number;
  /** From the creation of each forecast to the last event of its stream, in milliseconds. */
  readonly watched: { readonly count: number; readonly p50: number; readonly p99: number };
}

/** Sends several kinds of requests at their rates, and creates forecasts of which each is watched to its end. */
export async function measureMix(
  scene: PinnedScene,
  streams: readonly Stream[],
  { seconds, createPerSecond, create }: { seconds: number; createPerSecond: number; create: Requests },
): Promise<MixedFigures> {
  const [cpu, began] = [scene.readCpu(), performance.now()];
  const watching = watchForecasts(scene, create, createPerSecond, seconds);
  const figures = await Promise.all(
    streams.map(async ({ name, requests, perSecond }) => ({
      name,
      ...(await sendAtRate(scene, requests, { perSecond, seconds, connections: 8 })),
    })),
  );
  const waits = Float64Array.from(await watching).sort();
  const [used, elapsed] = [scene.readCpu(), (performance.now() - began) / 1_000];
  return {
    streams: figures,
    serviceShare: (used.service - cpu.service) / elapsed,
    serverShare: (used.server - cpu.server) / elapsed,
    watched: { count: waits.length, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
  };
}

async function watchForecasts(
  scene: PinnedScene,
  create: Requests,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const began = performance.now();
  const count = Math.round(perSecond * seconds);
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      await sleep(Math.max(0, began + (1_000 * i) / perSecond - performance.now()));
      const startedAt = performance.now();
      await watchOne(scene, create(i));
      return performance.now() - startedAt;
    }),
  );
}

async function watchOne({ port, key }: PinnedScene, { path, body }: ReturnType<Requests>): Promise<void> {
  const authorization = `Bearer ${key}`;
  const created = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: body ?? '',
  });
  const { data } = (await created.json()) as { data: { forecast_id: string } };
  if (!created.ok) throw new Error(`A creation was answered ${created.status}.`);
  const events = await fetch(`http://127.0.0.1:${port}${path}/${data.forecast_id}/events`, {
    headers: { authorization },
  });
  if (!/^event: completed$/m.test(await events.text())) throw new Error(`${data.forecast_id} was not completed.`);
}

/** A night of the screener, in a process that is ready to begin it. */
export interface Night extends AsyncDisposable {
  /** Runs the night. Returns its seconds. */
  run(): Promise<number>;
}

/** Prepares a night, on the core of the service. */
export async function openNight(url: string, symbols: number, filters: number): Promise<Night> {
  const child = fork(new URL('./screener-night.ts', import.meta.url), [url, String(symbols), String(filters)]);
  const ended = once(child, 'exit');
  const next = async (): Promise<unknown> =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      ended.then(([code]) => Promise.reject(new Error(`The night ended with status ${code}.`))),
    ]);
  await next();
  if (child.pid !== undefined) pin(child.pid, SERVICE_CORE);
  return {
    async run() {
      const seconds = next();
      child.send('run');
      return Number(await seconds);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
