import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileLock, makePrivateFolder, systemClock, tryLockFile } from '../../../platform/index.ts';
import {
  type Checkpoint,
  CheckpointError,
  type CheckpointFolders,
  checkpointId,
  MAX_WEIGHTS_BYTES,
} from '../checkpoint.ts';
import { findCheckpoint } from '../list-checkpoints.ts';
import { verifyCheckpoint } from '../read-checkpoint-files.ts';
import { downloadCheckpoint, type FetchedConfig, fetchConfig } from './download-checkpoint.ts';
import type { PullSource } from './parse-source.ts';
import type { Pull, PullOptions } from './pull.ts';
import { DEFAULT_RETRY_POLICY } from './requests.ts';

const LOCK_RETRY_MS = 100;

export interface PullResult {
  readonly checkpoint: Checkpoint;
  /** Whether the checkpoint was already installed and undamaged, so that no weights were downloaded. */
  readonly wasInstalled: boolean;
}

/**
 * Downloads a checkpoint into the data folder, or resumes an interrupted download. The checkpoint is installed only if
 * its weights have the given hash. Throws a `CheckpointError` if the pull fails.
 *
 * @example await pullCheckpoint(checkpointFolders(dataFolder), parseSource('toto'));
 */
export async function pullCheckpoint(
  folders: CheckpointFolders,
  source: PullSource,
  options: PullOptions = {},
): Promise<PullResult> {
  const { check, onEvent = () => {}, signal, clock = systemClock, allow = [] } = options;
  const { retryPolicy = DEFAULT_RETRY_POLICY, maxBytes = MAX_WEIGHTS_BYTES } = options;
  const pull: Pull = { folders, source, check, onEvent, signal, clock, retryPolicy, maxBytes, allow };
  try {
    return await pullUnlessInstalled(pull);
  } catch (error) {
    throw toCheckpointError(error, folders.installed, signal);
  }
}

/**
 * Fetches the config before the weights: the config is small, the id depends on it, and if it is wrong the weights need
 * not be downloaded.
 */
async function pullUnlessInstalled(pull: Pull): Promise<PullResult> {
  const { source } = pull;
  // The config of a release is known, so an installed release is found without the network.
  const fetched = source.release === undefined ? await fetchConfig(pull) : undefined;
  const id = checkpointId(source.name, source.sha256, fetched?.values ?? source.release?.config ?? {});
  const installed = await findUndamaged(pull, id);
  if (installed !== undefined) return { checkpoint: installed, wasInstalled: true };
  return pullLocked(pull, id, fetched ?? (await fetchConfig(pull)));
}

async function pullLocked(pull: Pull, id: string, config: FetchedConfig): Promise<PullResult> {
  const { folders, source, onEvent, signal } = pull;
  const downloads = join(folders.installed, '.downloads');
  await makePrivateFolder(downloads);
  const path = join(downloads, source.sha256);
  const onWait = () => onEvent({ kind: 'note', text: 'another process is pulling the same weights; waiting for it' });
  const lock = await acquireLock(`${path}.lock`, onWait, signal);
  try {
    // Another process may have installed it before this one acquired the lock.
    const installed = await findUndamaged(pull, id);
    if (installed !== undefined) return { checkpoint: installed, wasInstalled: true };
    return { checkpoint: await downloadCheckpoint(pull, config, `${path}.part`), wasInstalled: false };
  } finally {
    lock.release();
  }
}

/** Waits until no other process holds the lock. A lock is released when its process ends. */
async function acquireLock(path: string, onWait: () => void, signal: AbortSignal | undefined): Promise<FileLock> {
  for (let attempts = 0; ; attempts += 1) {
    const lock = await tryLockFile(path);
    if (lock !== undefined) return lock;
    if (attempts === 0) onWait();
    await sleep(LOCK_RETRY_MS, undefined, signal && { signal });
  }
}

/** Returns the installed checkpoint with the same weights, config and name, if its files are undamaged. */
async function findUndamaged({ folders, check, onEvent }: Pull, id: string): Promise<Checkpoint | undefined> {
  const found = await findCheckpoint(folders, id);
  if (found === null) return undefined;
  const { ok, problems } = await verifyCheckpoint(found, check);
  if (ok) return found;
  onEvent({ kind: 'note', text: `the installed checkpoint is damaged and will be replaced: ${problems.join(' ')}` });
  return undefined;
}

/** Converts an abort or an error of the file system to a `CheckpointError`. Returns any other error unchanged. */
function toCheckpointError(error: unknown, folder: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof CheckpointError) return error;
  if (signal?.aborted) {
    return new CheckpointError('STOPPED', 'Stopped. Run the same command to resume the download.', { cause: error });
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const remedy = 'Free some space and run the same command to resume the download';
    return new CheckpointError('CANNOT_WRITE', `The disk of ${folder} is full. ${remedy}.`, { cause: error });
  }
  if (syscall === undefined) return error;
  return new CheckpointError('CANNOT_WRITE', `${folder} cannot be written: ${message}.`, { cause: error });
}
