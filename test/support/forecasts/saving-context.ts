import { ALL_LICENSES } from '../../../src/access/index.ts';
import { type Database, loadConfig } from '../../../src/platform/index.ts';
import { tinyCheckpoints } from '../compute/tiny-checkpoints.ts';
import { movableIdentity } from '../identity/identity.ts';

/** Returns what saving a forecast depends on, with a clock that can be moved. */
export function savingContext(database: Database) {
  return {
    ...movableIdentity(database),
    checkpoints: tinyCheckpoints(),
    licenses: ALL_LICENSES,
    storage: loadConfig({}).storage,
    stamps: { isConfigured: true, selection: 'accounts' as const },
  };
}
