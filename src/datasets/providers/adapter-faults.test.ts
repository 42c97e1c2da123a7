import assert from 'node:assert/strict';
import type { AdapterScene } from '../../../test/support/datasets/adapter-scene.ts';
import { assertDiscreet, forEachAdapter, openClient, readsOf } from '../../../test/support/datasets/each-adapter.ts';
import {
  cutBody,
  endlessBody,
  type Reply,
  sendAnswer,
  sendHtml,
  sendJson,
  sendText,
  stallBody,
} from '../../../test/support/platform/wire-server.ts';
import { boundedGet, type ProviderClientOptions, ProviderError, type ProviderFault } from '../../platform/index.ts';

// Every fault of the network or of a provider ends in a named error, whatever the adapter reads.

/** Checks that every read ends in an error with a fault, which contains no part of the request or the reply. */
async function assertFaults(
  scene: AdapterScene,
  replies: readonly Reply[],
  fault: ProviderFault,
  options: () => Partial<ProviderClientOptions> = () => ({}),
): Promise<void> {
  for (const [name, read] of Object.entries(readsOf(scene))) {
    scene.server.requests.length = 0;
    scene.server.script.push(...replies);
    await assert.rejects(
      read(openClient(scene, options())),
      (error) => {
        assert.ok(error instanceof ProviderError, String(error));
        assert.deepEqual([error.provider, error.fault], [scene.adapter.id, fault]);
        assertDiscreet(scene, error);
        return true;
      },
      `${name}: ${fault}`,
    );
    scene.server.script.length = 0;
  }
}

/** Far above any reply of a provider: a limit that holds for all of them protects the memory. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Lowers the limit of a reply, because a test need not read all bytes of an adapter's own limit. */
const requestLess: ProviderClientOptions['request'] = async (url, options) => {
  assert.ok(options.maxBytes <= MAX_BYTES, `a reply of ${options.maxBytes} bytes`);
  const { text, ...reply } = await boundedGet(url, { ...options, maxBytes: 1024 * 1024 });
  return { ...reply, bytes: Buffer.from(text) };
};

const four = (reply: Reply): Reply[] => [reply, reply, reply, reply];

forEachAdapter('reports failures of the server and limits', async (scene) => {
  await assertFaults(scene, four(sendJson({ message: 'REPLY' }, 500)), 'UNAVAILABLE');
  await assertFaults(scene, four(sendText('REPLY', 503)), 'UNAVAILABLE');
  await assertFaults(scene, four(sendJson({ message: 'REPLY' }, 429)), 'RATE_LIMITED');
  await assertFaults(scene, [sendJson({ message: 'REPLY' }, 429, { 'retry-after': '600' })], 'RATE_LIMITED');
  await assertFaults(scene, [sendJson({ message: 'REPLY' }, 403)], 'FORBIDDEN');
});

forEachAdapter('reports HTML, cut, endless and slow bodies, and follows no redirect', async (scene) => {
  await assertFaults(scene, four(sendHtml), 'MALFORMED');
  await assertFaults(scene, four(sendText('')), 'MALFORMED');
  await assertFaults(scene, four(sendText(Buffer.from([0x22, 0xff, 0x22]))), 'MALFORMED');
  await assertFaults(scene, four(cutBody), 'TRUNCATED');
  // An adapter may request less after a reply that is too large.
  await assertFaults(scene, four(endlessBody), 'TOO_LARGE', () => ({ request: requestLess }));
  await assertFaults(scene, four(stallBody), 'TIMEOUT', () => ({ attemptMs: 30, deadline: Date.now() + 60 }));
  await assertFaults(scene, four(sendText('', 302, { location: 'http://127.0.0.1:1/' })), 'MALFORMED');
});

forEachAdapter('reports replies of another shape as failures of the provider', async (scene) => {
  for (const reply of [null, 7, 'REPLY', [], {}, [[]], [{}], [{}, {}], { message: 'REPLY' }, { observations: 7 }]) {
    const outcomes: unknown[] = [];
    const gate: ProviderClientOptions['gate'] = {
      enter: async () => ({ kind: 'granted', permit: { trial: null, isSuccessNews: false } }),
      leave: async (_permit, outcome) => {
        outcomes.push(outcome);
      },
    };
    await assertFaults(scene, four(sendJson(reply)), 'MALFORMED', () => ({ gate }));
    const failed = Object.keys(readsOf(scene)).map(() => ({ fault: 'MALFORMED' }));
    assert.deepEqual(outcomes, failed, `the breaker counts ${JSON.stringify(reply)}`);
  }
});

forEachAdapter('continues after a failure that passes', async (scene) => {
  for (const [name, read] of Object.entries(readsOf(scene))) {
    const expected = await read(openClient(scene));
    scene.server.script.push(sendJson({}, 503), cutBody, sendAnswer);
    assert.deepEqual(await read(openClient(scene)), expected, name);
  }
});

forEachAdapter('reports a refused connection', async (scene) => {
  await scene.server[Symbol.asyncDispose]();
  for (const read of Object.values(readsOf(scene))) {
    await assert.rejects(read(openClient(scene)), (error) => {
      assert.ok(error instanceof ProviderError && error.fault === 'UNREACHABLE', String(error));
      assertDiscreet(scene, error);
      return true;
    });
  }
});
