import { availableKinds, type DatabaseKind, openTestDatabase } from '../support/platform/database.ts';
import { VBASE_MIGRATIONS } from '../support/provenance/vbase-scene.ts';
import { runVbaseStorm } from '../support/provenance/vbase-storm.ts';
import type { Tally } from './kill-rounds.ts';
import type { StamperKillOptions } from './stamper-kills.ts';

/**
 * Stamps proofs by vBase's service on this machine, with many seeds, while requests fail in every way and the stamper is
 * killed. Checks that the service has one stamp of each proof.
 */
export async function runVbaseStorms({ seeds, seed, only }: StamperKillOptions): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  for (const kind of availableKinds.filter((each) => only === undefined || only === each)) {
    let kills = 0;
    for (let next = seed; next < seed + seeds; next += 1) {
      try {
        kills += await runStorm(kind, next);
        tally.passed += 1;
      } catch (error) {
        tally.failed += 1;
        console.log(`${kind} storm of vBase's service with seed ${next}: FAILED\n  ${error}`);
      }
    }
    console.log(`${kind} storms of vBase's service with seeds ${seed} to ${seed + seeds - 1}: killed ${kills} times`);
  }
  return tally;
}

async function runStorm(kind: DatabaseKind, seed: number): Promise<number> {
  await using fixture = await openTestDatabase(kind, VBASE_MIGRATIONS);
  // In every fourth, repeated requests are not recognized by the service.
  return await runVbaseStorm(fixture.database, { seed, isIdempotent: seed % 4 !== 0 });
}
