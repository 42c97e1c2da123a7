import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Checkpoint, CheckpointError, CONFIG_FILE, checkpointId, MAX_JSON_BYTES } from '../checkpoint.ts';
import { type ConfigValues, parseConfig, requireConfig } from '../manifest.ts';
import { classifyReply, downloadWeights } from './download-weights.ts';
import { installCheckpoint } from './install-checkpoint.ts';
import type { PullSource } from './parse-source.ts';
import { openPart, type PartFile } from './part-file.ts';
import { type Pull, reportProgress } from './pull.ts';
import { downloadRefused, openFollowingRedirects, TransientError, withPullRetries } from './requests.ts';

export interface FetchedConfig {
  readonly bytes: Uint8Array;
  readonly values: ConfigValues;
}

/** Downloads the config of a source. The config of a known release must match the pinned one exactly. */
export async function fetchConfig(pull: Pull): Promise<FetchedConfig> {
  const { source } = pull;
  const bytes = await withPullRetries(pull, source.configUrl, () => downloadConfig(source.configUrl, pull));
  try {
    const values = parseConfig(bytes);
    if (source.release !== undefined) requireConfig(values, source.release.config);
    return { bytes, values };
  } catch (error) {
    // The server may have sent an error page instead of the file, so the message names the URL.
    const { code, message } = error as CheckpointError;
    throw new CheckpointError(code, `${source.configUrl} cannot be used: ${message}`, { cause: error });
  }
}

async function downloadConfig(url: string, { retryPolicy, signal, allow }: Pull): Promise<Uint8Array> {
  await using reply = await openFollowingRedirects(url, { stallMs: retryPolicy.stallMs, signal, allow });
  const verdict = classifyReply(reply.status, reply.headers, { offset: 0, etag: undefined, size: undefined });
  if (verdict.kind === 'retry') throw new TransientError(verdict.reason);
  if (verdict.kind !== 'replace') {
    throw downloadRefused(url, verdict.kind === 'refused' ? verdict.reason : 'the server did not send the file');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.chunks) {
    length += chunk.byteLength;
    if (length > MAX_JSON_BYTES) {
      throw new CheckpointError('TOO_LARGE', `${CONFIG_FILE} at ${url} has more than ${MAX_JSON_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Downloads the weights that belong to a config, and installs both. */
export async function downloadCheckpoint(pull: Pull, config: FetchedConfig, path: string): Promise<Checkpoint> {
  await using part = await openPart(path, pull.source.weightsUrl);
  await completePart(pull, part);
  const checkpoint = describeCheckpoint(pull, config, part.offset);
  await installCheckpoint(checkpoint, config.bytes, part, pull.check);
  return checkpoint;
}

/** Downloads until the part is complete, and checks its hash. */
async function completePart(pull: Pull, part: PartFile): Promise<void> {
  const { source, onEvent } = pull;
  const url = source.weightsUrl;
  const download = { ...pull, url, size: source.release?.size, onBytes: reportProgress(onEvent) };
  const isResumed = part.offset > 0;
  if (isResumed) onEvent({ kind: 'note', text: `resuming after ${part.offset} bytes` });
  await withPullRetries(pull, url, () => downloadWeights(part, download));
  if (isResumed && part.digest() !== source.sha256) {
    // If the server sends no tag, the file may have changed between two attempts.
    onEvent({ kind: 'note', text: 'the resumed download has the wrong hash; starting over' });
    await part.restart();
    await withPullRetries(pull, url, () => downloadWeights(part, download));
  }
  await requireHash(part, source);
}

async function requireHash(part: PartFile, { sha256, weightsUrl }: PullSource): Promise<void> {
  const found = part.digest();
  if (found === sha256) return;
  await part.discard();
  throw new CheckpointError(
    'HASH_MISMATCH',
    `${weightsUrl} has the sha256 ${found}, but ${sha256} was expected. The download was removed.`,
  );
}

function describeCheckpoint(
  { folders, source, clock }: Pull,
  { values, bytes }: FetchedConfig,
  size: number,
): Checkpoint {
  const id = checkpointId(source.name, source.sha256, values);
  return {
    id,
    model: source.model,
    sha256: source.sha256,
    configSha256: createHash('sha256').update(bytes).digest('hex'),
    source: source.weightsUrl,
    license: source.release?.license ?? null,
    size,
    installedAt: clock.now().toISOString(),
    origin: 'installed',
    folder: join(folders.installed, id),
  };
}
