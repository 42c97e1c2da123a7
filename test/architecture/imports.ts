import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** Paths below src/. `to` is null for a package or a module of Node, named by `specifier`. */
  readonly from: string;
  readonly to: string | null;
  readonly specifier: string;
}

const SOURCE = join(import.meta.dirname, '../../src');
const SPECIFIER =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** Every source file of the service, tests left out. */
export function sourceFiles(): string[] {
  return globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
}

export function readSource(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8');
}

/** Every import between the source files, and of packages. */
export function allImports(): Import[] {
  return sourceFiles().flatMap((from) => {
    return [...readSource(from).matchAll(SPECIFIER)].map(([, named, bare, dynamic]) => {
      const specifier = named ?? bare ?? dynamic ?? '';
      const path = specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : null;
      // The command line uses the client as any program would: as a package.
      const to = path?.startsWith('../client/src/index.ts') ? null : path;
      return { from, to, specifier };
    });
  });
}

/** The room of a file: its top folder, or its own name at the top. */
export function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}
