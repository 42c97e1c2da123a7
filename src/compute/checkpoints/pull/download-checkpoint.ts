import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Checkpoint } from '../checkpoint.ts';
import { CheckpointError } from '../checkpoint-error.ts';
import { checkpointId } from '../checkpoint-id.ts';
import { downloadWeights } from './download-weights.ts';
import type { FetchedConfig } from './fetch-config.ts';
import { installCheckpoint } from './install.ts';
import type { PullSource } from './parse-source.ts';
import { openPart, type PartFile } from './part-file.ts';
import { persistently } from './persistently.ts';
import { reportProgress } from './progress.ts';
import type { Pull } from './pull.ts';

/** Downloads the weights of a config, and installs both. */
export async function downloadCheckpoint(pull: Pull, config: FetchedConfig, path: string): Promise<Checkpoint> {
  await using part = await openPart(path, pull.source.weightsUrl);
  await fillPart(pull, part);
  const checkpoint = describe(pull, config, part.offset);
  await installCheckpoint(checkpoint, config.bytes, part, pull.check);
  return checkpoint;
}

/** Leaves the part whole and with the right hash, or throws. */
async function fillPart(pull: Pull, part: PartFile): Promise<void> {
  const { source, patience, signal, mostBytes, onEvent } = pull;
  const url = source.weightsUrl;
  const download = { url, size: source.release?.size, mostBytes, patience, signal, onBytes: reportProgress(onEvent) };
  const resumed = part.offset > 0;
  if (resumed) onEvent({ kind: 'note', text: `going on after ${part.offset} bytes` });
  await persistently(pull, url, () => downloadWeights(part, download));
  if (resumed && part.digest() !== source.sha256) {
    // A server that names no tag may have changed the file since.
    onEvent({ kind: 'note', text: 'the parts do not fit together; starting over' });
    await part.startOver();
    await persistently(pull, url, () => downloadWeights(part, download));
  }
  await requireHash(part, source);
}

async function requireHash(part: PartFile, { sha256, weightsUrl }: PullSource): Promise<void> {
  const found = part.digest();
  if (found === sha256) return;
  await part.discard();
  throw new CheckpointError(
    'HASH_MISMATCH',
    `${weightsUrl} has the sha256 ${found}, but ${sha256} was to come. The download was removed.`,
  );
}

function describe({ folders, source, clock }: Pull, { values, bytes }: FetchedConfig, size: number): Checkpoint {
  const id = checkpointId(source.name, source.sha256, values);
  return {
    id,
    model: source.model,
    sha256: source.sha256,
    configSha256: createHash('sha256').update(bytes).digest('hex'),
    source: source.weightsUrl,
    licence: source.release?.licence ?? null,
    size,
    installedAt: clock.now().toISOString(),
    origin: 'installed',
    folder: join(folders.installed, id),
  };
}
