import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT: string = path.join(import.meta.dirname, '../..');

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** The folder of the package, such as `node_modules/pg`. */
  readonly folder: string;
  readonly license: string | undefined;
  /** Whether it is installed only on some systems. */
  readonly isOptional: boolean;
}

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockEntries = Readonly<Record<string, LockEntry>>;

export function readLockEntries(): LockEntries {
  return JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages;
}

/**
 * Returns the packages that an installation without development packages can have. npm does not mark the optional parts of
 * a package that is both a development package and an optional peer, such as the compilers of TypeScript.
 */
export function listRuntimePackages(entries: LockEntries = readLockEntries()): LockedPackage[] {
  const ofTools = new Set(
    Object.values(entries)
      .filter(({ dev, devOptional }) => dev || devOptional)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {})),
  );
  return Object.entries(entries)
    .filter(([folder, { dev, devOptional, link }]) => folder !== '' && !dev && !devOptional && !link)
    .map(([folder, { version, license, optional }]) => ({
      name: folder.replace(/^.*node_modules\//, ''),
      version,
      folder,
      license,
      isOptional: optional === true,
    }))
    .filter(({ name, isOptional }) => !(isOptional && ofTools.has(name)));
}
