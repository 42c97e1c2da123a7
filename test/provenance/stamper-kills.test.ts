import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outboxMigrations } from '../../src/platform/index.ts';
import { provenanceMigrations } from '../../src/provenance/index.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { type KillScene, openKillScene } from '../support/provenance/kill-scene.ts';
import { runKillSeed } from '../support/provenance/kill-stamper.ts';
import { KILL_POINTS } from '../support/provenance/mortal-process.ts';

const MIGRATIONS = [outboxMigrations, provenanceMigrations];
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
      await using fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
      const { database } = fixture;
      const report = await runKillSeed(seed, scene, { database, proofs: 16, batchSize: 4, kills: 12, rounds: 20 });
      assert.deepEqual(report.violations, [], `history: ${report.history.join(', ')}`);
      for (const step of report.history) reached.add(step);
    });
  }

  it('was killed at every kind of step', () => {
    assert.deepEqual(
      KILL_POINTS.filter((point) => !reached.has(point)),
      [],
    );
  });
});
