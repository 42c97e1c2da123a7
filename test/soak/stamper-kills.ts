import { STAMPING } from '../support/chain/stamping-scene.ts';
import { availableKinds, type DatabaseKind, openTestDatabase } from '../support/platform/database.ts';
import { type KillScene, openKillScene } from '../support/provenance/kill-scene.ts';
import { type KillReport, runKillSeed } from '../support/provenance/kill-stamper.ts';
import { KILL_POINTS } from '../support/provenance/mortal-process.ts';
import type { Tally } from './kill-rounds.ts';
import { runStamperSignals } from './stamper-signals.ts';

export interface StamperKillOptions {
  readonly seeds: number;
  /** The first seed. */
  readonly seed: number;
  readonly only: string | undefined;
}

/** More than in `npm test`. */
const VOLUME = { proofs: 40, batchSize: 8, kills: 20, rounds: 36 };

/**
 * Kills stampers of a chain at every step, with many seeds, and then real processes with -9. Checks that every proof is
 * on the chain exactly once.
 */
export async function runStamperKills({ seeds, seed, only }: StamperKillOptions): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  await using scene = await openKillScene();
  for (const kind of availableKinds.filter((each) => only === undefined || only === each)) {
    const reached = new Map<string, number>();
    for (let next = seed; next < seed + seeds; next += 1) {
      const { violations, history } = await runSeed(scene, kind, next);
      for (const step of history) reached.set(step, 1 + (reached.get(step) ?? 0));
      tally[violations.length === 0 ? 'passed' : 'failed'] += 1;
      if (violations.length > 0) reportFailure(kind, next, violations, history);
    }
    const missed = KILL_POINTS.filter((point) => !reached.has(point));
    if (missed.length > 0) tally.failed += 1;
    const counts = [...reached]
      .map(([step, count]) => `${count} ${step}`)
      .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
    console.log(`${kind} stamper killed with seeds ${seed} to ${seed + seeds - 1}: ${counts.join(', ')}`);
    if (missed.length > 0) console.log(`  never killed: ${missed.join(', ')}: FAILED`);
    const violations = await runStamperSignals(scene, kind, seed);
    tally[violations.length === 0 ? 'passed' : 'failed'] += 1;
    console.log(`${kind} stamping process killed 5 times: ${violations.length === 0 ? 'ok' : 'FAILED'}`);
    for (const violation of violations.slice(0, 10)) console.log(`  ${violation}`);
  }
  return tally;
}

async function runSeed(scene: KillScene, kind: DatabaseKind, seed: number): Promise<KillReport> {
  await using fixture = await openTestDatabase(kind, STAMPING);
  return await runKillSeed(seed, scene, { database: fixture.database, ...VOLUME });
}

function reportFailure(
  kind: DatabaseKind,
  seed: number,
  violations: readonly string[],
  history: KillReport['history'],
): void {
  console.log(`${kind} stamper killed with seed ${seed}: FAILED`);
  for (const violation of violations.slice(0, 10)) console.log(`  ${violation}`);
  console.log(`  history: ${history.join(', ')}`);
}
