import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../../src/compose/index.ts';
import { type Database, migrate, openDatabase } from '../../../src/platform/index.ts';
import type { Environment } from '../cli/almanac-process.ts';

const MIB = 1024 * 1024;
const SNAPSHOT_BYTES = 256 * 1024;
const SNAPSHOTS_PER_STATEMENT = 8;
const SMALL_ROWS_PER_MIB = 200;

/** Stores snapshots of random bytes, which do not compress, and many small rows in the database of an installation. */
export async function fillDatabase({ ALMANAC_DATA, DATABASE_URL }: Environment, mib: number): Promise<void> {
  const database = await openDatabase(DATABASE_URL ? { url: DATABASE_URL } : { folder: ALMANAC_DATA });
  try {
    await migrate(database, MIGRATIONS);
    for (let stored = 0; stored < mib * MIB; stored += SNAPSHOTS_PER_STATEMENT * SNAPSHOT_BYTES) {
      await storeSnapshots(database, SNAPSHOTS_PER_STATEMENT);
    }
    await sql`
      INSERT INTO stored_bytes (payer, bytes)
      SELECT 'filler ' || n, n FROM generate_series(1, ${mib * SMALL_ROWS_PER_MIB}::int) AS n`.execute(
      database.query(),
    );
  } finally {
    await database.close();
  }
}

async function storeSnapshots(database: Database, count: number): Promise<void> {
  const packed = Array.from({ length: count }, () => randomBytes(SNAPSHOT_BYTES));
  await sql`
    INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
    SELECT 'snap_filler_' || md5(p), md5(p), '{}', 1, 1, p, now(), now() FROM unnest(${packed}::bytea[]) AS p`.execute(
    database.query(),
  );
}
