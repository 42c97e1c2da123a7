import assert from 'node:assert/strict';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { VBASE_MIGRATIONS } from '../../../test/support/provenance/vbase-scene.ts';
import { runVbaseStorm } from '../../../test/support/provenance/vbase-storm.ts';

const SEEDS = 8;

forEachDatabase(
  'every proof is stamped once, whatever fails and whenever the stamper dies',
  VBASE_MIGRATIONS,
  async ({ database }) => {
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      kills += await runVbaseStorm(database, { seed, isIdempotent: seed % 4 !== 0 });
    }
    assert.ok(kills > SEEDS, `${kills} kills`);
  },
);
