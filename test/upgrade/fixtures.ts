import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** A folder with the data that an earlier build stored. */
export interface FixtureFolder {
  readonly name: string;
  readonly folder: string;
}

/** The fixture of commit b082e02, before the first release. */
export const FIRST_BUILD: FixtureFolder = { name: 'b082e02', folder: join(import.meta.dirname, 'fixture') };

const RELEASES_FOLDER = join(import.meta.dirname, 'releases');

/** Returns the fixture of a release. Its folder may not exist. */
export function fixtureOfRelease(version: string): FixtureFolder {
  return { name: version, folder: join(RELEASES_FOLDER, version) };
}

/** Returns the fixtures of all releases, oldest first. */
export function listReleaseFixtures(): FixtureFolder[] {
  if (!existsSync(RELEASES_FOLDER)) return [];
  return readdirSync(RELEASES_FOLDER)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map(fixtureOfRelease);
}

/** Returns the content of a file of the fixture that is compressed with Brotli. */
export function readPacked({ folder }: FixtureFolder, name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(folder, name)));
}

/** Unpacks a data folder: a line of JSON that lists folders and files, and their contents. Equal files share one content. */
export function unpackFolder(fixture: FixtureFolder, folder: string): void {
  const packed = readPacked(fixture, 'data-folder.br');
  const head = packed.indexOf('\n');
  const { folders, files } = JSON.parse(packed.toString('utf8', 0, head)) as {
    readonly folders: readonly string[];
    readonly files: readonly (readonly [path: string, offset: number, size: number])[];
  };
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
  const contents = packed.subarray(head + 1);
  for (const [path, offset, size] of files) {
    writeFileSync(join(folder, path), contents.subarray(offset, offset + size), { mode: 0o600 });
  }
}
