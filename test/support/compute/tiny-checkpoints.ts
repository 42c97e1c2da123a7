import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointFolders, type ModelCheckpoints, openModelCheckpoints } from '../../../src/compute/index.ts';
import { createLog } from '../../../src/platform/index.ts';
import { installGolden } from './golden-checkpoint.ts';

let folder: string | undefined;
let opened: ModelCheckpoints | undefined;

/**
 * Returns checkpoints with the tiny model in place of the bundled one: verifying the bundled weights takes more than a
 * second of CPU time in each process.
 */
export function tinyCheckpoints(): ModelCheckpoints {
  const folders = { ...checkpointFolders(tinyDataFolder()), bundled: join(tinyDataFolder(), 'none') };
  opened ??= openModelCheckpoints(folders, { log: createLog('silent') });
  return opened;
}

/** Returns the data folder in which the tiny model is installed, for services that run it. */
export function tinyDataFolder(): string {
  folder ??= installTiny();
  return folder;
}

function installTiny(): string {
  const made = mkdtempSync(join(tmpdir(), 'almanac-tiny-checkpoint-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  installGolden(made, 'golden', new Date(0));
  return made;
}
