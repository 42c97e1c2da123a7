import { join } from 'node:path';
import { makePrivateFolder, systemClock } from '../../../platform/index.ts';
import { type Checkpoint, MOST_WEIGHTS_BYTES } from '../checkpoint.ts';
import { splitCheckpointId } from '../checkpoint-id.ts';
import type { CheckpointFolders } from '../folders.ts';
import { listCheckpoints } from '../list-checkpoints.ts';
import { verifyCheckpoint } from '../verify-checkpoints.ts';
import { downloadCheckpoint } from './download-checkpoint.ts';
import { explainFailure } from './explain-failure.ts';
import type { PullSource } from './parse-source.ts';
import type { Pull, PullOptions } from './pull.ts';
import { USUAL_PATIENCE } from './retries.ts';
import { waitForLock } from './wait-for-lock.ts';

export interface Pulled {
  readonly checkpoint: Checkpoint;
  /** It was here before, whole, and nothing was downloaded. */
  readonly already: boolean;
}

/**
 * Downloads a checkpoint into the data folder, or goes on with a download that broke off. It is installed only if its
 * weights have the hash that was named; otherwise a `CheckpointError` says what is wrong.
 *
 * @example await pullCheckpoint(checkpointFolders(dataFolder), parseSource('toto'));
 */
export async function pullCheckpoint(
  folders: CheckpointFolders,
  source: PullSource,
  options: PullOptions = {},
): Promise<Pulled> {
  const { check, onEvent = () => {}, signal, clock = systemClock } = options;
  const { patience = USUAL_PATIENCE, mostBytes = MOST_WEIGHTS_BYTES } = options;
  const pull: Pull = { folders, source, check, onEvent, signal, clock, patience, mostBytes };
  try {
    const here = await findWhole(pull);
    return here === undefined ? await pullInTurn(pull) : { checkpoint: here, already: true };
  } catch (error) {
    throw explainFailure(error, folders.installed, signal);
  }
}

async function pullInTurn(pull: Pull): Promise<Pulled> {
  const { folders, source, onEvent, signal } = pull;
  const downloads = join(folders.installed, '.downloads');
  await makePrivateFolder(downloads);
  const path = join(downloads, source.sha256);
  const note = (text: string) => onEvent({ kind: 'note', text });
  const lock = await waitForLock(`${path}.lock`, () => note('another process pulls the same; waiting for it'), signal);
  try {
    // The other one may have brought it.
    const here = await findWhole(pull);
    if (here !== undefined) return { checkpoint: here, already: true };
    return { checkpoint: await downloadCheckpoint(pull, `${path}.part`), already: false };
  } finally {
    lock.release();
  }
}

/** The same weights under the same name, if its files are sound. */
async function findWhole({ folders, source, check, onEvent }: Pull): Promise<Checkpoint | undefined> {
  const found = (await listCheckpoints(folders)).find(
    ({ id, sha256 }) => sha256 === source.sha256 && splitCheckpointId(id)?.name === source.name,
  );
  if (found === undefined) return undefined;
  const { ok, problems } = await verifyCheckpoint(found, check);
  if (ok) return found;
  onEvent({ kind: 'note', text: `what is installed is damaged and will be replaced: ${problems.join(' ')}` });
  return undefined;
}
