// Every test, or those of the files that are named, by Node's own runner:
//
//   npm test
//   npm test -- [--test-name-pattern=…] [FILE…]

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endBySignal, runInForeground } from './launch/foreground-child.mjs';
import { groupFiles, needsOwnProcess } from './tests/group-files.ts';

// Three on two cores: one of them mostly waits for a browser, a process or a disk.
const FLAGS = ['--test-reporter=spec', '--test-concurrency=3', '--test-timeout=120000'];
const GROUP_SIZE = 12;
/** What a test may take is not enough for a whole file of them. */
const GROUPED_FILE_MS = 600_000;

const root = path.dirname(import.meta.dirname);
const given = process.argv.slice(2);
const flags = given.filter((argument) => argument.startsWith('-'));
const named = given.filter((argument) => !argument.startsWith('-'));
const isAlone = (file: string): boolean => needsOwnProcess(file, readFileSync(path.join(root, file), 'utf8'));
const every = globSync('{src,scripts,test}/**/*.test.ts', { cwd: root });
const files = named.length > 0 ? named : writeGroups(groupFiles(every, GROUP_SIZE, isAlone));
const { code, signal } = await runInForeground(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', '--test', ...FLAGS, ...flags, ...files],
  { cwd: root, stdio: 'inherit' },
);
if (signal !== null) endBySignal(signal);
else process.exit(code ?? 1);

/**
 * A file for each group that loads its tests; a group of one is that file. Each file becomes a suite, so that what stands
 * around its tests stands around these only.
 */
function writeGroups(groups: readonly string[][]): string[] {
  const folder = path.join(root, 'node_modules/.cache/almanac-tests');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groups.map((group, i) => {
    const [first = '', ...others] = group;
    if (others.length === 0) return first;
    const file = path.join(folder, `${String(i).padStart(3, '0')}.test.mjs`);
    const suites = group.map((member) => {
      const url = pathToFileURL(path.join(root, member)).href;
      return `describe('${member}', { timeout: ${GROUPED_FILE_MS} }, () => import('${url}'));\n`;
    });
    writeFileSync(file, `import { describe } from 'node:test';\n${suites.join('')}`);
    return file;
  });
}
