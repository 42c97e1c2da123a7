import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { atTime, movableIdentity } from '../../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { readComparableRows } from '../../../../test/support/platform/rows.ts';
import {
  addMember,
  csvContext,
  DAILY_CSV,
  inPieces,
  makeCsvFile,
  openCsvScene,
  UNDECLARED,
} from '../../../../test/support/workspaces/csv-files.ts';
import { collaboratorIdOf, makeWorkspace } from '../../../../test/support/workspaces/workspaces.ts';
import { MIGRATIONS } from '../../../compose/index.ts';
import { MAX_CSV_FILES, MAX_CSV_STORED_BYTES } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import { deleteCsvFile } from '../delete-csv-file.ts';
import { exportCsvFile } from '../export-csv-file.ts';
import { listCsvFiles } from '../list-csv-files.ts';
import { readCsvFile } from '../read-csv-file.ts';
import { removeAbandonedUploads } from './pending-upload.ts';
import { uploadCsvFile } from './upload-csv-file.ts';

forEachDatabase(
  'stores nothing of an upload that cannot be read or breaks off',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const context = csvContext(database);
    const { owner, workspace } = await openCsvScene(database);
    const before = await readComparableRows(database);
    const upload = (body: AsyncIterable<Buffer>) =>
      uploadCsvFile(context, owner, { workspace: workspace.id, name: 'x', declared: UNDECLARED, body });
    const big = `a,b\n${'1,2\n'.repeat(150_000)}`;
    await assert.rejects(upload(inPieces(`${big}3\n`)), {
      code: 'INVALID_REQUEST',
      message: 'line 150002: there is 1 cell, but the first line has 2.',
    });
    assert.deepEqual(await readComparableRows(database), before);
    let chunksSeen = 0;
    async function* breakingOff(): AsyncGenerator<Buffer> {
      yield* inPieces(big);
      const found = await sql<{ chunks: number }>`SELECT count(*) AS chunks FROM csv_chunk`.execute(database.query());
      chunksSeen = found.rows[0]?.chunks ?? 0;
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    await assert.rejects(upload(breakingOff()), /aborted/);
    assert.ok(chunksSeen > 0, 'a part was already stored');
    assert.deepEqual(await readComparableRows(database), before);
  },
);

forEachDatabase('hides a file until its upload is complete', { migrations: MIGRATIONS }, async ({ database }) => {
  const context = csvContext(database);
  const { owner, workspace } = await openCsvScene(database);
  const gate = Promise.withResolvers<void>();
  const half = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.from('a,b\n1,2\n');
    half.resolve();
    await gate.promise;
    yield Buffer.from('3,4\n');
  }
  const uploading = uploadCsvFile(context, owner, {
    workspace: workspace.id,
    name: 'slow',
    declared: UNDECLARED,
    body: slow(),
  });
  await half.promise;
  const { rows } = await sql<{ id: string }>`SELECT id FROM csv_file`.execute(database.query());
  const named = { workspace: workspace.id, id: rows[0]?.id ?? '' };
  assert.match(named.id, /^csv_/);
  assert.deepEqual((await listCsvFiles(context, owner, { workspace: workspace.id, limit: 9 })).files, []);
  for (const operation of [readCsvFile, exportCsvFile, deleteCsvFile]) {
    await assert.rejects(operation(context, owner, { ...named, limit: 1 }), { code: 'NOT_FOUND' });
  }
  gate.resolve();
  assert.equal((await uploading).id, named.id);
  assert.equal((await readCsvFile(context, owner, { ...named, limit: 9 })).rows.length, 2);
});

forEachDatabase('removes an unfinished upload after an hour', { migrations: MIGRATIONS }, async ({ database }) => {
  const { owner, workspace } = await openCsvScene(database);
  const kept = await makeCsvFile(database, workspace.id, owner.accountId);
  await sql`INSERT INTO csv_file (id, workspace_id, name, created_at)
    VALUES ('csv_old', ${workspace.id}, 'x', '2026-03-01T08:00:00Z'), ('csv_new', ${workspace.id}, 'x', '2026-03-01T09:00:00Z')`.execute(
    database.query(),
  );
  await sql`INSERT INTO csv_chunk VALUES ('csv_old', 0, 1, 1, '\\x00')`.execute(database.query());
  const { clock } = atTime(movableIdentity(database), '2026-03-01T09:30:00.000Z');
  await removeAbandonedUploads({ database, clock });
  const { rows } = await sql<{ id: string }>`SELECT id FROM csv_file ORDER BY id`.execute(database.query());
  assert.deepEqual(rows.map(({ id }) => id).sort(), [kept, 'csv_new'].sort());
});

/** Inserts files without rows that count toward the limits. */
async function fill(database: Database, workspaceId: string, files: number, bytes: number): Promise<void> {
  await sql`
    INSERT INTO csv_file (id, workspace_id, name, created_at, ready_at, bytes, sha256, rows, encoding, delimiter, has_header, columns)
    SELECT 'csv_' || ${workspaceId}::text || n, ${workspaceId}, 'x', now(), now(), ${bytes}::integer, '', 0, 'utf-8', ',', true, '[]'
    FROM generate_series(1, ${files}::integer) AS n`.execute(database.query());
}

forEachDatabase(
  'enforces the limits of files and bytes in a workspace',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const { owner, workspace } = await openCsvScene(database);
    await fill(database, workspace.id, MAX_CSV_FILES - 1, 1);
    await makeCsvFile(database, workspace.id, owner.accountId);
    const before = await readComparableRows(database);
    await assert.rejects(makeCsvFile(database, workspace.id, owner.accountId), {
      code: 'LIMIT_REACHED',
      message: 'A workspace can hold at most 200 files. Delete a file first.',
    });
    const heavy = await makeWorkspace(database, owner.accountId);
    const part = MAX_CSV_STORED_BYTES / 4;
    await fill(database, heavy.id, 3, part);
    await sql`UPDATE csv_file SET bytes = bytes + ${part - 100}::integer WHERE id = ${`csv_${heavy.id}1`}`.execute(
      database.query(),
    );
    const refusal = {
      code: 'LIMIT_REACHED',
      message: 'A workspace can hold at most 1 GiB of files. Delete a file first.',
    };
    await assert.rejects(makeCsvFile(database, heavy.id, owner.accountId), refusal);
    await makeCsvFile(database, heavy.id, owner.accountId, 'a,b\n1,2\n');
    const { rows } = await sql`SELECT id FROM csv_file WHERE ready_at IS NULL`.execute(database.query());
    assert.deepEqual(rows, [], 'a refused upload leaves nothing');
    assert.equal(before['public.csv_file']?.length, MAX_CSV_FILES);
  },
);

forEachDatabase(
  'adds one of several concurrent uploads when only one fits',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database }) => {
    const { owner, workspace } = await openCsvScene(database);
    for (let round = 0; round < 5; round++) {
      await sql`DELETE FROM csv_file`.execute(database.query());
      await fill(database, workspace.id, MAX_CSV_FILES - 1, 1);
      const gate = Promise.withResolvers<void>();
      let waiting = 0;
      async function* together(): AsyncGenerator<Buffer> {
        yield Buffer.from('a,b\n');
        if (++waiting === 4) gate.resolve();
        await gate.promise;
        yield Buffer.from('1,2\n');
      }
      const uploads = Array.from({ length: 4 }, () =>
        uploadCsvFile(csvContext(database), owner, {
          workspace: workspace.id,
          name: 'x',
          declared: UNDECLARED,
          body: together(),
        }),
      );
      const outcomes = await Promise.allSettled(uploads);
      const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'added' : outcome.reason.code));
      assert.deepEqual(codes.sort(), ['LIMIT_REACHED', 'LIMIT_REACHED', 'LIMIT_REACHED', 'added']);
      const { rows } = await sql<{ files: number }>`SELECT count(*) AS files FROM csv_file`.execute(database.query());
      assert.equal(rows[0]?.files, MAX_CSV_FILES);
    }
  },
);

forEachDatabase('refuses more than ten concurrent uploads', { migrations: MIGRATIONS }, async ({ database }) => {
  const { owner, workspace } = await openCsvScene(database);
  await sql`
    INSERT INTO csv_file (id, workspace_id, name, created_at)
    SELECT 'csv_' || n, ${workspace.id}, 'x', now() FROM generate_series(1, 10) AS n`.execute(database.query());
  await assert.rejects(makeCsvFile(database, workspace.id, owner.accountId), {
    code: 'RATE_LIMITED',
    message: 'At most 10 files can be uploaded to a workspace at the same time. Wait for one to finish.',
  });
});

forEachDatabase(
  'adds nothing when the member loses its role or the workspace is deleted during an upload',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const scene = await openCsvScene(database);
    const editor = await addMember(scene, database, { role: 'editor' });
    const before = await readComparableRows(database);
    const uploadDuring = (meanwhile: () => Promise<unknown>) => {
      async function* body(): AsyncGenerator<Buffer> {
        yield Buffer.from(DAILY_CSV);
        await meanwhile();
        yield Buffer.from(`2024-03-01,1,x\n${'2024-03-02,1,y\n'.repeat(100_000)}`);
      }
      const upload = { workspace: scene.workspace.id, name: 'x', declared: UNDECLARED, body: body() };
      return uploadCsvFile(csvContext(database), editor, upload);
    };
    const collaborator = await collaboratorIdOf(database, editor.accountId, scene.workspace.id);
    await assert.rejects(
      uploadDuring(() =>
        sql`UPDATE workspace_member SET role = 'viewer' WHERE id = ${collaborator}`.execute(database.query()),
      ),
      { code: 'WORKSPACE_DENIED' },
    );
    await sql`UPDATE workspace_member SET role = 'editor' WHERE id = ${collaborator}`.execute(database.query());
    assert.deepEqual(await readComparableRows(database), before);
    await assert.rejects(
      uploadDuring(() => sql`DELETE FROM workspace WHERE id = ${scene.workspace.id}`.execute(database.query())),
      { code: 'WORKSPACE_DENIED' },
    );
    const { rows } = await sql`SELECT file_id FROM csv_chunk`.execute(database.query());
    assert.deepEqual(rows, []);
  },
);
