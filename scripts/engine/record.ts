import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type EngineBundle, HASHES_FILE, listBundles, readBundle } from '../../src/compute/engines/engine-bundles.ts';
import { ENGINE_EXPORTS } from '../../src/compute/engines/engine-module.ts';
import { ENGINE_VERSION } from '../../src/engine/index.ts';

const root = join(import.meta.dirname, '../..');

/** The reason why a bundle cannot be recorded or is not what the sources give. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/**
 * Returns the engine of the sources as one module that imports nothing. The same sources give the same bytes on every
 * machine. Comments and local names are left out, so that only changes of code change the bytes; expressions are not
 * rewritten, because that could change digits.
 */
export async function bundleEngine(): Promise<Uint8Array> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { ${ENGINE_EXPORTS.join(', ')} } from './src/engine/index.ts';`,
      resolveDir: root,
      sourcefile: 'engine.ts',
    },
    bundle: true,
    format: 'esm',
    target: 'es2024',
    platform: 'neutral',
    minifyWhitespace: true,
    minifyIdentifiers: true,
    lineLimit: 120,
    charset: 'utf8',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const [file] = outputFiles;
  if (file === undefined || imports.length > 0) throw new RecordError(`The engine is not pure: it imports ${imports}.`);
  return file.contents;
}

/**
 * Records the engine of the sources as the bundle of its version. A recorded bundle is never overwritten: forecasts name
 * its version, and would be reproduced by another engine.
 *
 * @returns whether a bundle was written; false if the same one was recorded before
 */
export async function recordEngine(folder: string, version: string = ENGINE_VERSION): Promise<boolean> {
  const bytes = await bundleEngine();
  const bundles = await listIntact(folder);
  const recorded = bundles.find((bundle) => bundle.version === version);
  if (recorded !== undefined) {
    requireSame(recorded, bytes);
    return false;
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${version}.mjs`), bytes, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new RecordError(`${version}.mjs exists, but ${HASHES_FILE} does not name it. Remove it, or add its hash.`);
  });
  const all = [...bundles, { version, sha256: sha256Of(bytes) }];
  const lines = all.sort(byVersion).map((one) => `${one.sha256}  ${one.version}.mjs\n`);
  await writeFile(join(folder, HASHES_FILE), lines.join(''));
  return true;
}

/** Checks that the sources still give the recorded bundle of their version, and that every recorded bundle is intact. */
export async function checkEngines(folder: string, version: string = ENGINE_VERSION): Promise<readonly EngineBundle[]> {
  const bundles = await listIntact(folder);
  const recorded = bundles.find((bundle) => bundle.version === version);
  if (recorded === undefined) {
    throw new RecordError(`No bundle of engine ${version} is recorded. Record it with "npm run engine".`);
  }
  requireSame(recorded, await bundleEngine());
  return bundles;
}

async function listIntact(folder: string): Promise<EngineBundle[]> {
  const bundles = await listBundles(folder);
  for (const bundle of bundles) await readBundle(bundle);
  return bundles;
}

function requireSame({ version, sha256 }: EngineBundle, bytes: Uint8Array): void {
  if (sha256Of(bytes) === sha256) return;
  throw new RecordError(
    `The sources of the engine give another bundle than the recorded ${version}.mjs. Forecasts name engine ${version}, ` +
      'so its bundle is not overwritten: raise ENGINE_VERSION in src/engine/forecast.ts, then run "npm run engine". ' +
      `If no service ever ran engine ${version}, remove ${version}.mjs and its line in ${HASHES_FILE} instead.`,
  );
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function byVersion(one: { readonly version: string }, other: { readonly version: string }): number {
  return one.version.localeCompare(other.version, 'en', { numeric: true });
}
