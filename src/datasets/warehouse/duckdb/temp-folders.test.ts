import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { makeTempFolder, removeOldTempFolders } from './temp-folders.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-temp-folders-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('removes the folders of processes that have ended and of this process, and nothing else', async () => {
  const tempFolder = join(folder, 'below', 'temp');
  await removeOldTempFolders(tempFolder);
  const own = basename(await makeTempFolder(tempFolder));
  assert.match(own, new RegExp(`^duckdb-${process.pid}-`));
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  const running = `duckdb-${process.ppid}-abc`;
  for (const name of [`duckdb-${ended.pid}-abc`, running, 'duckdb-x-abc', 'other']) {
    mkdirSync(join(tempFolder, name));
    writeFileSync(join(tempFolder, name, 'file'), '');
  }
  await removeOldTempFolders(tempFolder);
  assert.deepEqual(readdirSync(tempFolder).sort(), [running, 'duckdb-x-abc', 'other'].sort());
});
