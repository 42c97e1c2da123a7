import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Architecture } from './architecture.ts';

export const SUITE = 'bookworm';

/**
 * The packages in the image: what Node and the native libraries load, the certificates of public authorities, time zones,
 * and the names of services. No shell, no package manager and no program other than Node has to be patched.
 */
const PACKAGES = [
  'base-files',
  'ca-certificates',
  'gcc-12-base',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'netbase',
  'tzdata',
] as const;

/** Files of these packages that no process of the service reads. The copyright of each package stays. */
const UNUSED = [
  './usr/bin/*',
  './usr/sbin/*',
  './sbin/*',
  './usr/lib/*/gconv/*',
  './usr/share/gcc/*',
  './usr/share/perl5/*',
  './usr/share/locale/*',
  './usr/share/lintian/*',
  './usr/share/man/*',
  './usr/share/bug/*',
  './usr/share/zoneinfo/posix/*',
  './usr/share/zoneinfo/right/*',
];

const USER = 10001;

/** Writes the files of Debian to an empty folder. Nothing of the packages is run, so any architecture will do. */
export function writeDebianFiles(root: string, architecture: Architecture, workspace: string): void {
  const fetched = path.join(workspace, 'debian');
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--mode=root',
      '--variant=extract',
      // The archives of the packages stay, because only some of them and not all of their files are wanted.
      '--skip=cleanup/apt/cache',
      `--architectures=${architecture.debian}`,
      `--include=${PACKAGES.join(',')}`,
      SUITE,
      fetched,
    ],
    { stdio: ['ignore', 2, 2] },
  );
  for (const name of PACKAGES) extractPackage(root, findArchive(fetched, name), name);
  rmSync(fetched, { recursive: true, force: true });
  for (const file of globSync(path.join(root, 'usr/share/doc/*/*'))) {
    if (path.basename(file) !== 'copyright') rmSync(file, { recursive: true });
  }
  writeCertificates(root);
  writeAccounts(root);
}

function findArchive(fetched: string, name: string): string {
  const [archive, ...others] = globSync(path.join(fetched, 'var/cache/apt/archives', `${name}_*.deb`));
  if (archive === undefined || others.length > 0) throw new Error(`mmdebstrap did not fetch one archive of ${name}.`);
  return archive;
}

/** Also writes the record from which scanners of vulnerabilities learn the version of the package. */
function extractPackage(root: string, archive: string, name: string): void {
  const files = execFileSync('dpkg-deb', ['--fsys-tarfile', archive], { maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['--extract', '--directory', root, '--wildcards', ...UNUSED.map((one) => `--exclude=${one}`)], {
    input: files,
  });
  const records = path.join(root, 'var/lib/dpkg/status.d');
  mkdirSync(records, { recursive: true });
  writeFileSync(path.join(records, name), execFileSync('dpkg-deb', ['--field', archive]));
}

/** Writes the file that the script of ca-certificates would write: all certificates, one after the other. */
function writeCertificates(root: string): void {
  const sources = globSync(path.join(root, 'usr/share/ca-certificates/**/*.crt')).sort();
  if (sources.length < 100) throw new Error(`ca-certificates has only ${sources.length} certificates.`);
  const folder = path.join(root, 'etc/ssl/certs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'ca-certificates.crt'),
    sources.map((file) => `${readFileSync(file, 'utf8').trimEnd()}\n`).join(''),
  );
  rmSync(path.join(root, 'usr/share/ca-certificates'), { recursive: true });
}

/** Names and folders that the scripts of base-files and base-passwd would make. */
function writeAccounts(root: string): void {
  const lines = {
    'etc/passwd': `root:x:0:0:root:/:/nonexistent\nalmanac:x:${USER}:${USER}:Almanac:/var/lib/almanac:/nonexistent\n`,
    'etc/group': `root:x:0:\nalmanac:x:${USER}:\n`,
    'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  };
  for (const [file, text] of Object.entries(lines)) writeFileSync(path.join(root, file), text);
  symlinkSync('../usr/share/zoneinfo/Etc/UTC', path.join(root, 'etc/localtime'));
  for (const folder of readdirSync(root))
    if (!KEPT_FOLDERS.includes(folder)) rmSync(path.join(root, folder), { recursive: true });
  for (const folder of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(path.join(root, folder), { recursive: true });
  chmodSync(path.join(root, 'tmp'), 0o1777);
}

const KEPT_FOLDERS = ['etc', 'lib', 'lib64', 'tmp', 'usr', 'var'];
