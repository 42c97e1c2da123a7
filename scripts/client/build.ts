import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

const HASH_LICENSE = join(root, 'node_modules/@noble/hashes/LICENSE');

export const CLIENT_FOLDER: string = join(root, 'client');

/**
 * Builds client/dist: one module, which contains the shared modules of the proof page and the hash function, so that the
 * package needs no other, and the type declarations.
 */
export async function buildClient(folder: string = join(CLIENT_FOLDER, 'dist')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['client/src/index.ts'],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // The license of the hash function requires its notice.
    banner: { js: `/*! Contains @noble/hashes:\n${await readFile(HASH_LICENSE, 'utf8')}*/` },
    charset: 'utf8',
    logLevel: 'error',
  });
  await writeDeclarations(folder);
}

/** The compiler also declares the shared modules, which no declaration of the client refers to, so they are left out. */
async function writeDeclarations(folder: string): Promise<void> {
  const output = mkdtempSync(join(tmpdir(), 'almanac-client-'));
  try {
    const args = ['-p', 'client', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...args, '--rootDir', '.', '--outDir', output], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`The types of the client could not be written:\n${stdout}`);
    const source = join(output, 'client/src');
    for (const file of globSync('**/*.d.ts', { cwd: source })) {
      const text = await readFile(join(source, file), 'utf8');
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
    }
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}
