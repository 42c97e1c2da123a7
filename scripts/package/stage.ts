import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

/** Package files that npm packs whether they are listed or not. */
const ALWAYS_PACKED = ['README.md', 'LICENSE'];

/** Writes the files of the package to an empty folder. */
export function stagePackage(folder: string): void {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const pattern of [...ALWAYS_PACKED, ...manifest.files.filter((name: string) => name !== 'lib')]) {
    for (const file of globSync(pattern, { cwd: root })) {
      cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
    }
  }
  compileSources(path.join(folder, 'lib'));
  chmodSync(path.join(folder, 'bin/almanac.mjs'), 0o755);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`);
}

/** Writes the sources without types, because Node strips none below node_modules. */
function compileSources(folder: string): void {
  for (const file of globSync('**/*.{ts,js,json}', {
    cwd: path.join(root, 'src'),
    exclude: (name) => name.endsWith('.test.ts'),
  })) {
    const source = path.join(root, 'src', file);
    const target = path.join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(target), { recursive: true });
    if (file.endsWith('.ts')) writeFileSync(target, toJavaScript(readFileSync(source, 'utf8')));
    else cpSync(source, target);
  }
}

/** Removes the types, and renames the files in imports and in the URLs of threads. */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replace(/(['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, '$1.js');
}

/** The manifest without what only a checkout has. */
function packedManifest({ devDependencies, scripts, ...kept }: Record<string, unknown>): Record<string, unknown> {
  return { ...kept, dependencies: lockedDependencies() };
}

/**
 * Returns the packages that the lock file has directly in node_modules, with their versions. npm ignores the lock files of
 * installed packages, so every dependency of a dependency is named as well. Otherwise, an installation next year would get
 * other versions.
 */
export function lockedDependencies(): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const direct = Object.entries(packages).filter(
    ([folder, { dev, devOptional, optional, link }]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(folder) && !dev && !devOptional && !optional && !link,
  );
  return Object.fromEntries(direct.map(([folder, { version }]) => [folder.slice('node_modules/'.length), version]));
}
