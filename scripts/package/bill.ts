import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listRuntimePackages, ROOT, readLockEntries } from './locked-packages.ts';

export interface Bill {
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/**
 * Returns the bill of materials in the CycloneDX format, as npm writes it. npm reads a copy of the manifest and the lock
 * file without development packages: with `--omit dev`, it also leaves out what those share with the service.
 */
export function makeBill(): Bill {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-sbom.'));
  try {
    const { devDependencies, ...manifest } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const entries = readLockEntries();
    const kept = listRuntimePackages(entries).map(({ folder: name }) => [name, entries[name]]);
    const lock = {
      name: manifest.name,
      version: manifest.version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': manifest, ...Object.fromEntries(kept) },
    };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
    const output = execFileSync(
      'npm',
      ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--loglevel=error'],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const bill = JSON.parse(output) as Bill;
    // npm takes the name of the folder for that of the application.
    const component = { ...bill.metadata.component, name: manifest.name };
    return { ...bill, metadata: { ...bill.metadata, component } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
