import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { listRuntimePackages, ROOT } from './locked-packages.ts';

/** Package files that npm packs whether they are listed or not. */
const ALWAYS_PACKED = ['README.md', 'LICENSE'];

/** Writes the files of the package to an empty folder. */
export function stagePackage(folder: string): void {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  for (const pattern of [...ALWAYS_PACKED, ...manifest.files.filter((name: string) => name !== 'lib')]) {
    for (const file of globSync(pattern, { cwd: ROOT })) {
      cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true });
    }
  }
  compileSources(path.join(folder, 'lib'));
  chmodSync(path.join(folder, 'bin/almanac.mjs'), 0o755);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`);
}

/** Writes the sources without types, because Node strips none below node_modules. */
function compileSources(folder: string): void {
  for (const file of globSync('**/*.{ts,js,json}', {
    cwd: path.join(ROOT, 'src'),
    exclude: (name) => name.endsWith('.test.ts'),
  })) {
    const source = path.join(ROOT, 'src', file);
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
  const direct = listRuntimePackages().filter(
    ({ name, folder, isOptional }) => folder === `node_modules/${name}` && !isOptional,
  );
  return Object.fromEntries(direct.map(({ name, version }) => [name, version]));
}
