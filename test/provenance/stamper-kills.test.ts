import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startNodeProxy } from '../support/chain/node-proxy.ts';
import { createStampingScene, STAMPING } from '../support/chain/stamping-scene.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { type KillScene, openKillScene } from '../support/provenance/kill-scene.ts';
import { runKillSeed } from '../support/provenance/kill-stamper.ts';
import { KILL_POINTS } from '../support/provenance/mortal-process.ts';

const SEEDS = 10;

describe(`a stamper that is killed at every step [${testedKind}]`, () => {
  let scene: KillScene;
  const reached = new Set<string>();

  before(async () => {
    scene = await openKillScene();
  });
  after(() => scene[Symbol.asyncDispose]());

  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`stamps every proof once, with seed ${seed}`, async () => {
      await using fixture = await openTestDatabase(testedKind, STAMPING);
      const { database } = fixture;
      const report = await runKillSeed(seed, scene, { database, proofs: 12, batchSize: 4, kills: 9, rounds: 14 });
      assert.deepEqual(report.violations, [], `history: ${report.history.join(', ')}`);
      for (const step of report.history) reached.add(step);
    });
  }

  it('adds the set once, although its block goes in the middle of a round', async () => {
    await using fixture = await openTestDatabase(testedKind, STAMPING);
    const { node } = scene;
    const stamping = await createStampingScene(node, fixture.database);
    const snapshot = await node.snapshot();
    await stamping.request(1);
    await stamping.settle();
    await stamping.request(1);
    let isReorganized = false;
    await using proxy = await startNodeProxy(node.url, async ({ method, params, forward }) => {
      // Before this call, the round has found the transaction of the set in its block.
      if (method === 'eth_getTransactionCount' && params[1] === 'pending' && !isReorganized) {
        isReorganized = true;
        await node.revert(snapshot);
        await node.mine(20);
      }
      return forward();
    });
    await stamping.round(stamping.another({ url: proxy.url }));
    assert.ok(isReorganized);
    await stamping.settle();
    assert.equal((await stamping.committed()).length, 2);
    assert.deepEqual(await stamping.states(), { stamped: 3 }, 'the set and two batches');
  });

  it('was killed at every kind of step', () => {
    assert.deepEqual(
      KILL_POINTS.filter((point) => !reached.has(point)),
      [],
    );
  });
});
