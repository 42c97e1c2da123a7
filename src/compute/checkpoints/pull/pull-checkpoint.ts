import { join } from 'node:path';
import { makePrivateFolder, systemClock } from '../../../platform/index.ts';
import { type Checkpoint, MAX_WEIGHTS_BYTES } from '../checkpoint.ts';
import { checkpointId } from '../checkpoint-id.ts';
import type { CheckpointFolders } from '../folders.ts';
import { findCheckpoint } from '../list-checkpoints.ts';
import { verifyCheckpoint } from '../verify-checkpoints.ts';
import { downloadCheckpoint } from './download-checkpoint.ts';
import { explainFailure } from './explain-failure.ts';
import { type FetchedConfig, fetchConfig } from './fetch-config.ts';
import type { PullSource } from './parse-source.ts';
import type { Pull, PullOptions } from './pull.ts';
import { USUAL_PATIENCE } from './retries.ts';
import { waitForLock } from './wait-for-lock.ts';

export interface Pulled {
  readonly checkpoint: Checkpoint;
  /** It was here before, whole, and no weights were downloaded. */
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
  const { patience = USUAL_PATIENCE, mostBytes = MAX_WEIGHTS_BYTES } = options;
  const pull: Pull = { folders, source, check, onEvent, signal, clock, patience, mostBytes };
  try {
    return await pullUnlessHere(pull);
  } catch (error) {
    throw explainFailure(error, folders.installed, signal);
  }
}

/** The config first: it is small, a wrong one spares the weights, and without it nobody knows what would be installed. */
async function pullUnlessHere(pull: Pull): Promise<Pulled> {
  const { source } = pull;
  // That of a release is known, and asking for it would need the network for nothing.
  const fetched = source.release === undefined ? await fetchConfig(pull) : undefined;
  const id = checkpointId(source.name, source.sha256, fetched?.values ?? source.release?.config ?? {});
  const here = await findWhole(pull, id);
  if (here !== undefined) return { checkpoint: here, already: true };
  return pullInTurn(pull, id, fetched ?? (await fetchConfig(pull)));
}

async function pullInTurn(pull: Pull, id: string, config: FetchedConfig): Promise<Pulled> {
  const { folders, source, onEvent, signal } = pull;
  const downloads = join(folders.installed, '.downloads');
  await makePrivateFolder(downloads);
  const path = join(downloads, source.sha256);
  const note = (text: string) => onEvent({ kind: 'note', text });
  const lock = await waitForLock(`${path}.lock`, () => note('another process pulls the same; waiting for it'), signal);
  try {
    // The other one may have brought it.
    const here = await findWhole(pull, id);
    if (here !== undefined) return { checkpoint: here, already: true };
    return { checkpoint: await downloadCheckpoint(pull, config, `${path}.part`), already: false };
  } finally {
    lock.release();
  }
}

/** The same weights with the same config under the same name, if its files are sound. */
async function findWhole({ folders, check, onEvent }: Pull, id: string): Promise<Checkpoint | undefined> {
  const found = await findCheckpoint(folders, id);
  if (found === null) return undefined;
  const { ok, problems } = await verifyCheckpoint(found, check);
  if (ok) return found;
  onEvent({ kind: 'note', text: `what is installed is damaged and will be replaced: ${problems.join(' ')}` });
  return undefined;
}
