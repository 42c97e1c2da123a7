import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelCheckpoints, openModelCheckpoints } from '../../../src/compute/index.ts';
import { createLog } from '../../../src/platform/index.ts';
import { installGolden } from './golden-checkpoint.ts';

let opened: ModelCheckpoints | undefined;

/**
 * Returns checkpoints with the tiny model in place of the bundled one, for services that do not run it: verifying the
 * bundled weights takes more than a second of CPU time in each process.
 */
export function tinyCheckpoints(): ModelCheckpoints {
  opened ??= openTiny();
  return opened;
}

function openTiny(): ModelCheckpoints {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-tiny-checkpoint-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  installGolden(folder, 'golden', new Date(0));
  const folders = { installed: join(folder, 'none'), bundled: join(folder, 'checkpoints') };
  return openModelCheckpoints(folders, { log: createLog('silent') });
}
