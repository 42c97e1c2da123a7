import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A file that lies in an installed package. */
export interface PackageFile {
  /** Name of the package. */
  readonly package: string;
  /** Path inside its folder. */
  readonly path: string;
}

/** A file of a package as messages name it. */
export function sayPackageFile(file: PackageFile): string {
  return `${file.package}/${file.path}`;
}

/**
 * The text of a file of an installed package. It is looked for in the folders where Node looks for the package, not
 * through the package's `exports`: those of data packages often name the code alone.
 *
 * @example await readPackageFile({ package: 'vega-datasets', path: 'data/sp500.csv' })
 */
export async function readPackageFile(file: PackageFile): Promise<string> {
  for (const folder of createRequire(import.meta.url).resolve.paths(file.package) ?? []) {
    try {
      return await readFile(join(folder, file.package, file.path), 'utf8');
    } catch (error) {
      if (!isMissing(error)) throw new Error(`${sayPackageFile(file)} cannot be read.`, { cause: error });
    }
  }
  throw new Error(`${sayPackageFile(file)} is not installed.`);
}

export async function readPackageJson(file: PackageFile): Promise<unknown> {
  const text = await readPackageFile(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${sayPackageFile(file)} is not JSON.`, { cause: error });
  }
}

/** A package with its installed version, as publishers are named: `vega-datasets@3.2.1`. */
export async function sayInstalledPackage(name: string): Promise<string> {
  const manifest = await readPackageJson({ package: name, path: 'package.json' });
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return `${name}@${manifest.version}`;
  throw new Error(`${name}/package.json names no version.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
