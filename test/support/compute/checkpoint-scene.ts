import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CheckpointFolders,
  checkpointId,
  type PullEvent,
  type Pulled,
  type PullOptions,
  parseSource,
  pullCheckpoint,
  type SourceWords,
} from '../../../src/compute/index.ts';
import { type CheckpointServer, sha256Of, startCheckpointServer } from './checkpoint-server.ts';

export const CONFIG = { d_model: 32, norm_eps: 0.0001, use_xpos: true };
export const CONFIG_TEXT = JSON.stringify(CONFIG, null, 1);
/** Not the weights of anything: nothing here looks into them. */
export const WEIGHTS = Buffer.from(Array.from({ length: 300_000 }, (_, place) => (place * 7919 + (place >> 8)) & 255));
export const SHA256 = sha256Of(WEIGHTS);
export const ID = checkpointId('tiny', SHA256, CONFIG);

/** Patient for some milliseconds, three tries. */
export const PATIENCE = { stallMs: 10_000, pausesMs: [1, 1] };

export interface CheckpointScene extends AsyncDisposable {
  readonly server: CheckpointServer;
  readonly folders: CheckpointFolders;
  /** Where a download lies until it is whole. */
  readonly part: string;
  readonly events: PullEvent[];
  readonly pull: (options?: PullOptions, words?: SourceWords) => Promise<Pulled>;
  /** The size of the part; null when there is none. */
  readonly partSize: () => number | null;
  /** What is in the folder of downloads beside locks. */
  readonly leftOvers: () => string[];
}

/** A server of a tiny checkpoint and an empty data folder. */
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
    pull: (options, words) => {
      const source = parseSource('toto', { from: server.url, sha256: SHA256, name: 'tiny', ...words });
      return pullCheckpoint(folders, source, {
        patience: PATIENCE,
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
