// Runs every test, or the tests of the named files, with Node's test runner:
//
//   npm test
//   npm test -- [--test-name-pattern=…] [FILE…]
//   npm test -- --record       also writes scripts/tests/durations.json, from which the files are scheduled

import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endBySignal, runInForeground } from './launch/foreground-child.mjs';
import { NODE_FLAGS } from './launch/node-binary.mjs';
import { installEvm } from './tests/install-evm.ts';
import { type Durations, planGroups } from './tests/plan-groups.ts';

// Four processes, for two cores, because some of them are usually waiting for a browser, another process or the disk.
const FLAGS = ['--test-concurrency=4', '--test-timeout=120000'];
/** As many groups as processes, because each group loads nearly the same modules. */
const GROUP_SHARES = [1, 1, 1, 1];
/** The time limit of a whole file in a group; `--test-timeout` is the limit of one test. */
const GROUPED_FILE_MS = 600_000;

/** All files are being loaded by now: a suite calls its function immediately. */
const GROUP_END = 'void Promise.allSettled(loading).then(disableHook);\n';

const root = path.dirname(import.meta.dirname);
const durationsFile = path.join(root, 'scripts/tests/durations.json');
/** Written while the tests run and then moved, so that an interrupted run does not spoil the recorded durations. */
const recordingFile = path.join(root, 'node_modules/.cache/almanac-durations.json');
const args = process.argv.slice(2);
const isRecording = args.includes('--record');
const flags = args.filter((argument) => argument.startsWith('-') && argument !== '--record');
const named = args.filter((argument) => !argument.startsWith('-'));
await installEvm();
const files = named.length > 0 ? named : writeGroups();
const { code, signal } = await runInForeground(
  process.execPath,
  [...NODE_FLAGS, '--test', ...reporters(), ...FLAGS, ...flags, ...files],
  { cwd: root, stdio: 'inherit' },
);
if (isRecording && signal === null) copyFileSync(recordingFile, durationsFile);
if (signal !== null) endBySignal(signal);
else process.exit(code ?? 1);

function reporters(): string[] {
  const spec = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  if (!isRecording) return spec;
  const recorder = pathToFileURL(path.join(root, 'scripts/tests/record-durations.mjs')).href;
  return [...spec, `--test-reporter=${recorder}`, `--test-reporter-destination=${recordingFile}`];
}

/**
 * Writes one file per group that loads the group's test files. The runner sorts its files, so their names make it start
 * the groups in the planned order. Each test file becomes a suite, so that its hooks apply only to its own tests.
 */
function writeGroups(): string[] {
  const all = globSync('{src,scripts,test,web,bench}/**/*.test.ts', { cwd: root });
  const durations = JSON.parse(readFileSync(durationsFile, 'utf8')) as Durations;
  const folder = path.join(root, 'node_modules/.cache/almanac-tests');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return planGroups(all, { durations, shares: GROUP_SHARES }).map((group, i) => {
    const file = path.join(folder, `${String(i).padStart(3, '0')}.test.mjs`);
    const suites = group.map((member) => {
      const url = pathToFileURL(path.join(root, member)).href;
      return `describe('${member}', { timeout: ${GROUPED_FILE_MS} }, () => load(() => import('${url}')));\n`;
    });
    writeFileSync(file, `${groupStart()}${suites.join('')}${GROUP_END}`);
    return file;
  });
}

function groupStart(): string {
  const urlOf = (file: string) => pathToFileURL(path.join(root, file)).href;
  return `import { after, describe } from 'node:test';
import { keepIdleDatabases } from '${urlOf('test/support/platform/database-pool.ts')}';
import { catchRunnersHook } from '${urlOf('scripts/tests/runners-hook.ts')}';
const disableHook = catchRunnersHook(() => after(keepIdleDatabases()));
const loading = [];
function load(file) {
  const loaded = file();
  loading.push(loaded);
  return loaded;
}
`;
}
