import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { NODE_FLAGS } from '../../scripts/launch/node-binary.mjs';
import { preparedFolder } from '../support/cli/service.ts';

const PROCESS = join(import.meta.dirname, '../support/platform/full-disk-process.ts');
const folder = mkdtempSync(join(tmpdir(), 'almanac-full-disk-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a shell script in which FOLDER is a small file system of its own. It needs no privileges. */
function runOnSmallDisk(script: string, args: readonly string[] = []) {
  const mounted = `mount -t tmpfs -o size=${DISK_MIB}m none "$FOLDER" && { ${script}; }`;
  const options = { env: { ...process.env, FOLDER: folder }, encoding: 'utf8', timeout: 120_000 } as const;
  return spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mounted, 'sh', ...args], options);
}

const DISK_MIB = 150;
const skip = runOnSmallDisk('true').status === 0 ? false : 'this machine does not allow a file system of its own';

/** Runs the places one after the other on one small disk. Returns the lines of each, and how the process ended. */
async function fillDisk(...places: string[]) {
  await using prepared = await preparedFolder();
  const node = [process.execPath, ...NODE_FLAGS].map((word) => `'${word}'`).join(' ');
  const runs = places.map((place) => `${node} '${PROCESS}' ${place} "$FOLDER" "$1"; echo "ended $?"`);
  const { stdout, stderr } = runOnSmallDisk(runs.join('; '), [prepared.data]);
  const lines = stdout.trim().split('\n');
  return { seen: lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)), lines, stderr };
}

test('below the minimum of free space, writes get 503, reads work, and all works again when space returns', {
  skip,
}, async () => {
  const { seen, stderr } = await fillDisk('requests');
  const [result] = seen;
  assert.ok(result, stderr);
  const { before, full, after: later, logged } = result;
  const works = { upload: 201, snapshot: 200, read: 200 };
  assert.deepEqual(before, { ...works, ready: [200, null], files: 1 });
  assert.deepEqual(full, {
    upload: 503,
    code: 'UNAVAILABLE',
    message: 'The service cannot store anything at present. Reading still works. Try again later.',
    snapshot: 503,
    read: 200,
    ready: [503, 'disk full'],
    files: 1,
  });
  assert.ok(logged);
  assert.deepEqual(later, { ...works, ready: [200, null], files: 2 });
});

test('tables, temporary files, new databases and checkpoints that do not fit are refused, and nothing is half written', {
  skip,
}, async () => {
  const { seen, stderr } = await fillDisk('tables', 'checkpoint');
  const [tables, checkpoint] = seen;
  assert.deepEqual(
    tables,
    {
      table: '53100',
      temporary: '53100',
      after: 'stored',
      rows: [{ id: 0 }, { id: 2 }],
      template: 'ENOSPC',
      left: [],
    },
    stderr,
  );
  assert.deepEqual(
    checkpoint,
    {
      full: 'The disk of FOLDER is full. Free some space and run the same command to resume the download.',
      installed: [],
      isInstalledLater: true,
      left: [],
    },
    stderr,
  );
});

test('a full write-ahead log ends the process, and the next start has every acknowledged row', { skip }, async () => {
  const { seen, lines, stderr } = await fillDisk('log', 'restart');
  assert.match(stderr, /almanac: The disk of ALMANAC_DATA is full, .* Every committed change is kept\./);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('ended')),
    ['ended 137', 'ended 0'],
  );
  const acknowledged = seen.filter((line) => 'acknowledged' in line).map((line) => line.acknowledged);
  assert.ok(acknowledged.length > 0);
  const { rows } = seen.at(-1);
  assert.deepEqual(rows.slice(0, acknowledged.length), acknowledged);
});
