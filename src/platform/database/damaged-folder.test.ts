import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { copyOfPgliteTemplate } from '../../../test/support/platform/pglite-template.ts';
import { DamagedFolderError, openDatabase } from './index.ts';

let sound = '';
let remove: (() => Promise<void>) | undefined;
before(async () => {
  const copy = await copyOfPgliteTemplate({ migrations: [], queue: false });
  sound = copy.location.folder ?? '';
  remove = copy.remove;
});
after(() => remove?.());

function onlyName(folder: string): string {
  return readdirSync(folder).find((name) => /^[0-9A-F]+$/.test(name)) ?? '';
}

/** What is done to the folder of the database, and the problem that is reported. */
const DAMAGES: Record<string, readonly [(files: string) => void, RegExp]> = {
  'random bytes in pg_control': [
    (files) => writeFileSync(join(files, 'global/pg_control'), randomBytes(8_192)),
    /the checksum of global\/pg_control is wrong/,
  ],
  'no write-ahead log': [
    (files) => rmSync(join(files, 'pg_wal', onlyName(join(files, 'pg_wal')))),
    /pg_wal\/[0-9A-F]{24} is missing/,
  ],
  'a truncated pg_xact': [(files) => truncateSync(join(files, 'pg_xact/0000'), 100), /pg_xact\/0000 is .* too short/],
  'tables of random bytes': [
    (files) => writeFileSync(join(files, 'base/5/1259'), randomBytes(8_192 * 10)),
    /base\/5\/1259 does not contain pages of a table/,
  ],
  'no tables': [(files) => rmSync(join(files, 'base'), { recursive: true }), /base is missing/],
  'no PG_VERSION': [(files) => rmSync(join(files, 'PG_VERSION')), /database\/PG_VERSION is missing/],
};

for (const [name, [damage, problem]] of Object.entries(DAMAGES)) {
  test(`a folder with ${name} is reported in one line, and its files stay as they are`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'almanac-damaged-'));
    try {
      cpSync(join(sound, 'database'), join(folder, 'database'), { recursive: true });
      damage(join(folder, 'database'));
      const hashes = hashFiles(join(folder, 'database'));
      await assert.rejects(openDatabase({ folder }), (error: Error) => {
        assert.ok(error instanceof DamagedFolderError);
        assert.match(error.message, problem);
        assert.ok(error.message.startsWith(`The database in ${folder} is damaged: `));
        assert.match(error.message, /Restore a backup of the folder\.$/);
        assert.ok(!error.message.includes('\n'));
        return true;
      });
      assert.deepEqual(hashFiles(join(folder, 'database')), hashes);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function hashFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}
