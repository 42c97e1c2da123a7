import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../compute/index.ts';
import { shareEngine } from './forecast-worker.ts';

interface FakeEngine extends Engine {
  isEnded: boolean;
}

function fakeEngine(): FakeEngine {
  const engine: FakeEngine = {
    models: [],
    isEnded: false,
    forecast: async () => assert.fail('An engine that is only checked gets no forecast.'),
    isOpen: () => !engine.isEnded,
    close: async () => {
      engine.isEnded = true;
    },
  };
  return engine;
}

/** Returns a function that starts fake engines, and the engines that it started. */
function starter() {
  const engines: FakeEngine[] = [];
  const start = async (): Promise<Engine> => {
    const engine = fakeEngine();
    engines.push(engine);
    return engine;
  };
  return { engines, start };
}

test('starts one engine for concurrent and later forecasts', async () => {
  const { engines, start } = starter();
  const shared = shareEngine(start);
  assert.equal(engines.length, 0, 'no engine starts before the first forecast');
  const [first, second] = await Promise.all([shared.get(), shared.get()]);
  assert.equal(first, second);
  assert.equal(await shared.get(), first);
  assert.equal(engines.length, 1);
});

test('starts one new engine after the first has ended', async () => {
  const { engines, start } = starter();
  const shared = shareEngine(start);
  const first = await shared.get();
  await first.close();
  const [second, third] = await Promise.all([shared.get(), shared.get()]);
  assert.notEqual(second, first);
  assert.equal(third, second);
  assert.equal(engines.length, 2);
});

test('retries after an engine that could not start', async () => {
  const { engines, start } = starter();
  let isBroken = true;
  const shared = shareEngine(async () => {
    if (isBroken) throw new Error('no threads');
    return start();
  });
  await assert.rejects(shared.get(), /no threads/);
  isBroken = false;
  assert.equal(await shared.get(), engines[0]);
});

test('closes the engine, and needs none to close', async () => {
  const { engines, start } = starter();
  await shareEngine(start).close();
  assert.equal(engines.length, 0);
  const shared = shareEngine(start);
  await shared.get();
  await shared.close();
  assert.equal(engines[0]?.isEnded, true);
});
