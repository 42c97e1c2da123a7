import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_VERSION } from '../../engine/index.ts';
import { CheckpointError } from '../checkpoints/checkpoint.ts';
import { readPlainFile } from '../checkpoints/read-plain-file.ts';

/** The engine of one version as one file, with which forecasts of that version are reproduced. */
export interface EngineBundle {
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** The versions of the engine that can run here. The folder is read for each call. */
export interface EngineBundles {
  /** The version of the engine in the sources, which runs new forecasts. */
  readonly present: string;
  /** Lists the recorded bundles in the order of their versions, without reading them. */
  list(): Promise<EngineBundle[]>;
  /**
   * Returns the bundle of a version; null if none is recorded. Throws a `CheckpointError` if the bundle is damaged. No
   * other version is returned in its place.
   */
  find(version: string): Promise<EngineBundle | null>;
}

export interface EngineBundleOptions {
  readonly folder?: string | undefined;
  /** Default: the version of the sources. Another one makes the sources pass for a later engine. */
  readonly present?: string | undefined;
}

export const ENGINES_FOLDER: string = join(import.meta.dirname, '../../../engines');
/** In the format of `sha256sum`, so that operators can check the files without this service. */
export const HASHES_FILE = 'SHA256SUMS';

/** Far more than an engine needs. */
const MAX_BUNDLE_BYTES = 16 * 2 ** 20;

export function openEngineBundles({
  folder = ENGINES_FOLDER,
  present = ENGINE_VERSION,
}: EngineBundleOptions = {}): EngineBundles {
  const list = () => listBundles(folder);
  return {
    present,
    list,
    async find(version) {
      const bundle = (await list()).find((one) => one.version === version);
      if (bundle === undefined) return null;
      await readBundle(bundle);
      return bundle;
    },
  };
}

export interface EngineVerdict {
  readonly version: string;
  readonly ok: boolean;
  readonly problems: readonly string[];
}

/** Reads and hashes every bundle. */
export async function verifyEngines(bundles: EngineBundles): Promise<EngineVerdict[]> {
  const listed = await bundles.list();
  return Promise.all(
    listed.map(({ version }) =>
      bundles.find(version).then(
        () => ({ version, ok: true, problems: [] }),
        (error: Error) => ({ version, ok: false, problems: [error.message] }),
      ),
    ),
  );
}

/** Lists the bundles that a folder records; none if it has no list. */
export async function listBundles(folder: string): Promise<EngineBundle[]> {
  const file = join(folder, HASHES_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new CheckpointError('CHECKPOINT_UNAVAILABLE', `${file} cannot be read: ${error.message}.`, { cause: error });
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { sha256, version } = /^(?<sha256>[0-9a-f]{64}) {2}(?<version>[\w.-]+)\.mjs$/.exec(line)?.groups ?? {};
    if (sha256 === undefined || version === undefined) {
      throw new CheckpointError('CHECKPOINT_CORRUPT', `${file} has the line ${JSON.stringify(line.slice(0, 100))}.`);
    }
    return { version, sha256, file: join(folder, `${version}.mjs`) };
  });
}

/** Reads a bundle. Throws a `CheckpointError` if it cannot be read or its bytes have another hash. */
export async function readBundle({ file, sha256 }: EngineBundle): Promise<Uint8Array> {
  const found = await readPlainFile(file, (size) => {
    if (size > MAX_BUNDLE_BYTES) throw new Error('it is too long');
  }).catch((error: Error) => {
    throw new CheckpointError('CHECKPOINT_UNAVAILABLE', `${file} cannot be read: ${error.message}.`, { cause: error });
  });
  if (found.sha256 === sha256) return found.bytes;
  const problem = `${file} has the sha256 ${found.sha256} instead of ${sha256}.`;
  throw new CheckpointError('CHECKPOINT_CORRUPT', problem);
}
