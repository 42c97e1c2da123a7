import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CheckpointFolders,
  checkpointId,
  type PullEvent,
  type PullOptions,
  type PullResult,
  type PullSourceOptions,
  parseSource,
  pullCheckpoint,
} from '../../../src/compute/index.ts';
import { type CheckpointServer, sha256Of, startCheckpointServer } from './checkpoint-server.ts';

export const CONFIG = { d_model: 32, norm_eps: 0.0001, use_xpos: true };
export const CONFIG_TEXT = JSON.stringify(CONFIG, null, 1);
/** Arbitrary bytes: the tests of pulls never interpret them. */
export const WEIGHTS = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 8)) & 255));
export const SHA256 = sha256Of(WEIGHTS);
export const ID = checkpointId('tiny', SHA256, CONFIG);

/** Three attempts, a millisecond apart. */
export const RETRY_POLICY = { stallMs: 10_000, delaysMs: [1, 1] };

export interface CheckpointScene extends AsyncDisposable {
  readonly server: CheckpointServer;
  readonly folders: CheckpointFolders;
  /** The path of an incomplete download. */
  readonly part: string;
  readonly events: PullEvent[];
  readonly pull: (options?: PullOptions, sourceOptions?: PullSourceOptions) => Promise<PullResult>;
  /** Returns the size of the incomplete download, or null. */
  readonly partSize: () => number | null;
  /** Lists the folder of downloads without its locks. */
  readonly leftOvers: () => string[];
}

/** Opens a server of a tiny checkpoint and an empty data folder. */
export async function openCheckpointScene(): Promise<CheckpointScene> {
  const server = await startCheckpointServer(WEIGHTS, CONFIG_TEXT);
  const root = mkdtempSync(join(tmpdir(), 'almanac-checkpoints-test-'));
  const folders = { installed: join(root, 'data/checkpoints'), bundled: join(root, 'bundled') };
  const downloads = join(folders.installed, '.downloads');
  const part = join(downloads, `${SHA256}.part`);
  const events: PullEvent[] = [];
  return {
    server,
    folders,
    part,
    events,
    pull: (options, sourceOptions) => {
      const source = parseSource('toto', { from: server.url, sha256: SHA256, name: 'tiny', ...sourceOptions });
      return pullCheckpoint(folders, source, {
        retryPolicy: RETRY_POLICY,
        onEvent: (event) => events.push(event),
        ...options,
      });
    },
    partSize: () => (existsSync(part) ? readFileSync(part).length : null),
    leftOvers: () => (existsSync(downloads) ? readdirSync(downloads).filter((name) => !name.endsWith('.lock')) : []),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
