import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, CONFIG_FILE, WEIGHTS_FILE } from './checkpoint.ts';
import { MAX_READING_MS } from './read-plain-file.ts';
import { withinTime } from './within-time.ts';

/**
 * Tells whether the files of a checkpoint, or what its manifest says of them, are others than before, without reading
 * them.
 */
export async function fileIdentity(checkpoint: Checkpoint): Promise<string> {
  const { folder, sha256, configSha256, size } = checkpoint;
  const files = await Promise.all([CONFIG_FILE, WEIGHTS_FILE].map((name) => identityOf(join(folder, name))));
  return [sha256, configSha256, size, ...files].join(' ');
}

async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await withinTime(MAX_READING_MS, () => stat(path, { bigint: true }));
    // Also the time of the last change of anything: who copies a file over may set the other one back.
    return [dev, ino, size, mtimeNs, ctimeNs].join('.');
  } catch {
    // Why, the reader will say.
    return 'none';
  }
}
