import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listRuntimePackages, readLockEntries } from './locked-packages.ts';

interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/**
 * Returns the contents of package.json and package-lock.json for a folder in which `npm ci` installs a tarball of the
 * package: every other package has the version, the folder and the hash of the lock file of this checkout.
 */
export function lockInstallation(tarball: string, manifest: PackedManifest): Record<string, string> {
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest;
  const resolved = `file:${path.basename(tarball)}`;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const root = { name: 'almanac-installation', dependencies: { [name]: resolved } };
  const entries = readLockEntries();
  const packages = {
    '': root,
    ...Object.fromEntries(listRuntimePackages(entries).map(({ folder }) => [folder, entries[folder]])),
    [`node_modules/${name}`]: {
      version,
      resolved,
      integrity,
      license,
      dependencies,
      bin,
      engines,
      optionalDependencies,
    },
  };
  return {
    'package.json': `${JSON.stringify({ ...root, private: true }, null, 2)}\n`,
    'package-lock.json': `${JSON.stringify({ name: root.name, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`,
  };
}
