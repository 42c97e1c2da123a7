import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Checkpoint } from '../checkpoint.ts';
import { CheckpointError } from '../checkpoint-error.ts';
import { checkpointId } from '../checkpoint-id.ts';
import { type ConfigValues, parseConfig, requireConfig } from '../config-values.ts';
import { downloadConfig } from './download-config.ts';
import { downloadWeights } from './download-weights.ts';
import { installCheckpoint } from './install.ts';
import type { PullSource } from './parse-source.ts';
import { openPart, type PartFile } from './part-file.ts';
import { reportProgress } from './progress.ts';
import type { Pull } from './pull.ts';
import { withRetries } from './retries.ts';

/** The config first: it is small, and a wrong one spares the weights. */
export async function downloadCheckpoint(pull: Pull, path: string): Promise<Checkpoint> {
  const { source, patience, signal } = pull;
  const bytes = await persistently(pull, source.configUrl, () => downloadConfig(source.configUrl, patience, signal));
  const config = parseConfig(bytes);
  if (source.release !== undefined) requireConfig(config, source.release.config);

  await using part = await openPart(path, source.weightsUrl);
  await fillPart(pull, part);
  const checkpoint = describe(pull, config, bytes, part.offset);
  await installCheckpoint(checkpoint, bytes, part, pull.check);
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

function persistently<Result>(pull: Pull, url: string, step: () => Promise<Result>): Promise<Result> {
  const onRetry = (why: string) => pull.onEvent({ kind: 'note', text: `${why}; trying again` });
  return withRetries(url, pull.patience, step, { onRetry, signal: pull.signal });
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

function describe({ folders, source, clock }: Pull, config: ConfigValues, bytes: Uint8Array, size: number): Checkpoint {
  const id = checkpointId(source.name, source.sha256, config);
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
