import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { type Database, openDatabase } from '../database/index.ts';
import { copyEmbeddedDatabase, removeEmbeddedCopy } from './embedded-files.ts';

/** Adds a row of 256 KiB with its digest. */
async function addRow(database: Database): Promise<void> {
  await sql`INSERT INTO large SELECT b, md5(b) FROM (SELECT ${randomBytes(256 * 1024)}::bytea AS b) AS made`.execute(
    database.query(),
  );
}

forEachDatabase(
  'copies files of many steps while their rows change',
  { only: 'pglite' },
  async ({ database, location }) => {
    const folder = location.folder ?? '';
    await sql`CREATE TABLE large (b bytea, md5 text)`.execute(database.query());
    for (let i = 0; i < 24; i += 1) await addRow(database);
    let isCopied = false;
    const writing = (async () => {
      while (!isCopied) {
        // A request also gives way to the main loop.
        await setImmediate();
        await addRow(database);
        await sql`DELETE FROM large WHERE ctid = (SELECT min(ctid) FROM large)`.execute(database.query());
      }
    })();
    const copy = await copyEmbeddedDatabase(database, folder).finally(() => {
      isCopied = true;
    });
    await writing;
    const opened = await openDatabase({ folder: copy.folder });
    try {
      const { rows } = await sql<{ rows: number; changed: number }>`
      SELECT count(*) AS rows, count(*) FILTER (WHERE md5(b) <> md5) AS changed FROM large`.execute(opened.query());
      assert.ok(rows[0]?.rows === 24 || rows[0]?.rows === 25);
      assert.equal(rows[0]?.changed, 0);
    } finally {
      await opened.close();
      await removeEmbeddedCopy(folder);
    }
  },
);
