import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type CsvRow, parseCsv } from './csv/parse-csv.ts';

/** A file of an installed package. */
export interface PackageFile {
  /** The name of the package. */
  readonly package: string;
  /** The path of the file in the folder of the package. */
  readonly path: string;
}

/** Formats the name of a package's file for messages. */
export function formatPackageFile(file: PackageFile): string {
  return `${file.package}/${file.path}`;
}

/**
 * Returns the text of a package's file.
 *
 * @example await readPackageFile({ package: 'vega-datasets', path: 'data/sp500.csv' })
 */
export async function readPackageFile(file: PackageFile): Promise<string> {
  return await findInFolders(file, (path) => readFile(path, 'utf8'));
}

/** Returns the path of a package's file, without symbolic links. */
export async function findPackageFile(file: PackageFile): Promise<string> {
  return await findInFolders(file, realpath);
}

/**
 * Searches the folders in which Node would look for a package, and ignores the package's `exports`, because those of data
 * packages often name only the code.
 */
async function findInFolders(file: PackageFile, open: (path: string) => Promise<string>): Promise<string> {
  for (const folder of createRequire(import.meta.url).resolve.paths(file.package) ?? []) {
    try {
      return await open(join(folder, file.package, file.path));
    } catch (error) {
      if (!isMissing(error)) throw new Error(`${formatPackageFile(file)} cannot be read.`, { cause: error });
    }
  }
  throw new Error(`${formatPackageFile(file)} is not installed.`);
}

export async function readPackageCsv<Column extends string>(
  file: PackageFile,
  columns: readonly Column[],
): Promise<readonly CsvRow<Column>[]> {
  return parseCsv(await readPackageFile(file), columns, formatPackageFile(file));
}

export async function readPackageJson(file: PackageFile): Promise<unknown> {
  const text = await readPackageFile(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${formatPackageFile(file)} is not JSON.`, { cause: error });
  }
}

/**
 * Returns the name of a package with its installed version, such as `vega-datasets@3.2.1`, for use as the name of a
 * publisher.
 */
export async function readPackageLabel(name: string): Promise<string> {
  const manifest = await readPackageJson({ package: name, path: 'package.json' });
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return `${name}@${manifest.version}`;
  throw new Error(`${name}/package.json has no version.`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
