import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { makeAccount } from '../../../test/support/callers.ts';
import { csvContext, DAILY_CSV, inPieces, makeCsvFile, UNDECLARED } from '../../../test/support/csv-files.ts';
import { forEachDatabase } from '../../../test/support/database.ts';
import { atTime, movableIdentity } from '../../../test/support/identity.ts';
import { restingRows } from '../../../test/support/rows.ts';
import { makeMember, makeWorkspace, placeOf, principalOf } from '../../../test/support/workspaces.ts';
import type { Account } from '../../access/index.ts';
import { MIGRATIONS } from '../../compose.ts';
import { MAX_CSV_FILES, MAX_CSV_STORED_BYTES } from '../../contract/index.ts';
import type { Database } from '../../platform/index.ts';
import { findMembership } from '../find-membership.ts';
import { exportCsvFile } from './export-csv-file.ts';
import { deleteCsvFile, listCsvFiles, readCsvFile, removeAbandonedUploads, uploadCsvFile } from './index.ts';

interface Scene {
  readonly owner: Account;
  readonly workspace: { readonly id: string; readonly slug: string };
}

async function sceneIn(database: Database): Promise<Scene> {
  const account = await makeAccount(movableIdentity(database), { password: null });
  return { owner: principalOf(account), workspace: await makeWorkspace(database, account.id) };
}

async function memberOf({ workspace }: Scene, database: Database, spec: Parameters<typeof makeMember>[3]) {
  const account = await makeAccount(movableIdentity(database), { password: null });
  await makeMember(database, workspace.id, account.id, spec);
  return principalOf(account);
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

forEachDatabase(
  'a file is stored, described, read and exported as it is',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const context = csvContext(database);
    const scene = await sceneIn(database);
    const text = 'when;Wert;note\r\n01.01.2024;1,5;"=SUM(A1)"\r\n31.01.2024;-2;"a ""b""\nc"\r\n15.02.2024;;@x\r\n';
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    const upload = { workspace: scene.workspace.slug, name: 'Übersicht.csv', declared: UNDECLARED };
    const file = await uploadCsvFile(context, scene.owner, { ...upload, body: inPieces(bytes, 7) });
    assert.partialDeepStrictEqual(file, {
      workspace_id: scene.workspace.id,
      name: 'Übersicht.csv',
      uploaded_by: scene.owner.accountId,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      rows: 3,
      encoding: 'utf-16le',
      delimiter: ';',
      has_header: true,
      time_field: 'when',
      value_field: 'Wert',
      frequency: null,
    });
    assert.deepEqual(
      file.columns.map(({ name, type, format, nulls }) => [name, type, format, nulls]),
      [
        ['when', 'timestamp', 'day_first', 0],
        ['Wert', 'number', 'decimal_comma', 1],
        ['note', 'text', null, 0],
      ],
    );
    const named = { workspace: scene.workspace.id, id: file.id };
    const page = await readCsvFile(context, scene.owner, { ...named, limit: 2 });
    assert.deepEqual(page.rows, [
      ['01.01.2024', '1,5', '=SUM(A1)'],
      ['31.01.2024', '-2', 'a "b"\nc'],
    ]);
    assert.ok(page.nextCursor);
    const rest = await readCsvFile(context, scene.owner, { ...named, limit: 2, cursor: page.nextCursor });
    assert.deepEqual([rest.rows, rest.nextCursor], [[['15.02.2024', '', '@x']], null]);
    assert.deepEqual(rest.file, page.file);
    const { chunks } = await exportCsvFile(context, scene.owner, named);
    assert.equal(
      await textOf(chunks()),
      `when,Wert,note\r\n01.01.2024,"1,5",'=SUM(A1)\r\n31.01.2024,-2,"a ""b""\nc"\r\n15.02.2024,,'@x\r\n`,
    );
    const other = await makeCsvFile(database, scene.workspace.id, scene.owner.accountId);
    await assert.rejects(
      readCsvFile(context, scene.owner, { ...named, id: other, limit: 1, cursor: page.nextCursor }),
      {
        code: 'INVALID_REQUEST',
        message: 'cursor: was not made for this file.',
      },
    );
  },
);

forEachDatabase(
  'a file of many chunks is read from any row and exported whole',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const context = csvContext(database);
    const { owner, workspace } = await sceneIn(database);
    const rows = 40_000;
    const lines = Array.from({ length: rows }, (_, row) => `${row},${'é'.repeat(row % 30)},${row / 7}`);
    const id = await makeCsvFile(database, workspace.id, owner.accountId, `n,text,v\n${lines.join('\n')}\n`);
    const chunks = await sql<{ first_row: number; rows: number }>`
    SELECT first_row, rows FROM csv_chunk ORDER BY first_row`.execute(database.query());
    assert.ok(chunks.rows.length > 1, `${chunks.rows.length} chunks`);
    const named = { workspace: workspace.id, id };
    let [at, cursor]: [number, string | undefined] = [0, undefined];
    for (let pages = 0; at < rows && pages < 200; pages++) {
      const page = await readCsvFile(context, owner, { ...named, limit: 1000, cursor });
      assert.equal(page.rows[0]?.[0], String(at));
      assert.equal(page.rows.at(-1)?.[0], String(at + page.rows.length - 1));
      at += page.rows.length;
      cursor = page.nextCursor ?? undefined;
      assert.equal(cursor === undefined, at === rows);
    }
    assert.equal(at, rows);
    const exported = await textOf((await exportCsvFile(context, owner, named)).chunks());
    assert.equal(exported, `n,text,v\r\n${lines.join('\r\n')}\r\n`);
  },
);

forEachDatabase(
  'a page of very long rows ends early, and leads on',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const { owner, workspace } = await sceneIn(database);
    const row = Array.from({ length: 60 }, () => 'x'.repeat(9_000)).join(',');
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`).join(',');
    const id = await makeCsvFile(database, workspace.id, owner.accountId, `${names}\n${`${row}\n`.repeat(5)}`);
    const counts: number[] = [];
    for (let cursor: string | undefined; counts.length < 10; ) {
      const request = { workspace: workspace.id, id, limit: 1000, cursor };
      const page = await readCsvFile(csvContext(database), owner, request);
      counts.push(page.rows.length);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    assert.deepEqual(counts, [1, 1, 1, 1, 1]);
  },
);

forEachDatabase(
  'what cannot be read or breaks off leaves nothing',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const context = csvContext(database);
    const { owner, workspace } = await sceneIn(database);
    const before = await restingRows(database);
    const upload = (body: AsyncIterable<Buffer>) =>
      uploadCsvFile(context, owner, { workspace: workspace.id, name: 'x', declared: UNDECLARED, body });
    const big = `a,b\n${'1,2\n'.repeat(600_000)}`;
    await assert.rejects(upload(inPieces(`${big}3\n`)), {
      code: 'INVALID_REQUEST',
      message: 'line 600002: there is 1 cell, where the first line has 2.',
    });
    assert.deepEqual(await restingRows(database), before);
    let chunksSeen = 0;
    async function* breakingOff(): AsyncGenerator<Buffer> {
      yield* inPieces(big);
      const found = await sql<{ chunks: number }>`SELECT count(*) AS chunks FROM csv_chunk`.execute(database.query());
      chunksSeen = found.rows[0]?.chunks ?? 0;
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    await assert.rejects(upload(breakingOff()), /aborted/);
    assert.ok(chunksSeen > 0, 'some of it was stored already');
    assert.deepEqual(await restingRows(database), before);
  },
);

forEachDatabase('nobody sees a file that is on its way', { migrations: MIGRATIONS }, async ({ database }) => {
  const context = csvContext(database);
  const { owner, workspace } = await sceneIn(database);
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
  for (const ask of [readCsvFile, exportCsvFile, deleteCsvFile]) {
    await assert.rejects(ask(context, owner, { ...named, limit: 1 }), { code: 'NOT_FOUND' });
  }
  gate.resolve();
  assert.equal((await uploading).id, named.id);
  assert.equal((await readCsvFile(context, owner, { ...named, limit: 9 })).rows.length, 2);
});

forEachDatabase(
  'an upload that nobody finishes is cleared away after an hour',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const { owner, workspace } = await sceneIn(database);
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
  },
);

forEachDatabase(
  'a member sees, adds and removes what its scope allows',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const context = csvContext(database);
    const scene = await sceneIn(database);
    const { owner, workspace } = scene;
    const seen = await makeCsvFile(database, workspace.id, owner.accountId);
    const hidden = await makeCsvFile(database, workspace.id, owner.accountId);
    const editor = await memberOf(scene, database, {
      role: 'editor',
      csv_scope_mode: 'selected',
      csv_scope_ids: [seen],
    });
    const other = await memberOf(scene, database, { csv_scope_mode: 'selected', csv_scope_ids: [hidden, seen] });
    const listed = async (who: Account) =>
      (await listCsvFiles(context, who, { workspace: workspace.id, limit: 10 })).files.map(({ id }) => id);
    assert.deepEqual(await listed(editor), [seen]);
    assert.deepEqual((await listed(other)).sort(), [seen, hidden].sort());
    const absent = 'csv_00000000000000000000000000';
    for (const id of [hidden, absent]) {
      for (const ask of [readCsvFile, exportCsvFile, deleteCsvFile]) {
        await assert.rejects(ask(context, editor, { workspace: workspace.id, id, limit: 1 }), {
          code: 'NOT_FOUND',
          message: 'No file with this id in the workspace.',
        });
      }
    }
    const own = await makeCsvFile(database, workspace.id, editor.accountId);
    assert.deepEqual((await listed(editor)).sort(), [seen, own].sort(), 'it sees what it has added');
    assert.ok(!(await listed(other)).includes(own), 'others see no more than before');
    await deleteCsvFile(context, editor, { workspace: workspace.slug, id: seen });
    assert.deepEqual(await listed(editor), [own]);
    const scopes = await Promise.all(
      [editor, other].map(async (who) => (await findMembership(database, who.accountId, workspace.id))?.csv.ids),
    );
    assert.deepEqual(scopes, [[own], [hidden]], 'what is removed is in no scope any more');
    await assert.rejects(deleteCsvFile(context, editor, { workspace: workspace.id, id: seen }), { code: 'NOT_FOUND' });
  },
);

forEachDatabase('a list goes on by its cursor', { migrations: MIGRATIONS }, async ({ database }) => {
  const context = csvContext(database);
  const { owner, workspace } = await sceneIn(database);
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.push(await makeCsvFile(database, workspace.id, owner.accountId));
  const found: string[] = [];
  for (let cursor: string | undefined; found.length < 9; ) {
    const { files, nextCursor } = await listCsvFiles(context, owner, { workspace: workspace.id, limit: 2, cursor });
    found.push(...files.map(({ id }) => id));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  assert.deepEqual(found.toSorted(), made.toSorted());
  const elsewhere = await makeWorkspace(database, owner.accountId);
  const { nextCursor } = await listCsvFiles(context, owner, { workspace: workspace.id, limit: 2 });
  await assert.rejects(
    listCsvFiles(context, owner, { workspace: elsewhere.id, limit: 2, cursor: nextCursor ?? undefined }),
    { code: 'INVALID_REQUEST', message: 'cursor: was not made for this list.' },
  );
});

/** Files that take up room, without their rows. */
async function fill(database: Database, workspaceId: string, files: number, bytes: number): Promise<void> {
  await sql`
    INSERT INTO csv_file (id, workspace_id, name, created_at, ready_at, bytes, sha256, rows, encoding, delimiter, has_header, columns)
    SELECT 'csv_' || ${workspaceId}::text || n, ${workspaceId}, 'x', now(), now(), ${bytes}::integer, '', 0, 'utf-8', ',', true, '[]'
    FROM generate_series(1, ${files}::integer) AS n`.execute(database.query());
}

forEachDatabase(
  'a workspace holds so many files and bytes and no more',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const { owner, workspace } = await sceneIn(database);
    await fill(database, workspace.id, MAX_CSV_FILES - 1, 1);
    await makeCsvFile(database, workspace.id, owner.accountId);
    const before = await restingRows(database);
    await assert.rejects(makeCsvFile(database, workspace.id, owner.accountId), {
      code: 'LIMIT_REACHED',
      message: 'A workspace holds at most 200 files. Remove one first.',
    });
    const heavy = await makeWorkspace(database, owner.accountId);
    const part = MAX_CSV_STORED_BYTES / 4;
    await fill(database, heavy.id, 3, part);
    await sql`UPDATE csv_file SET bytes = bytes + ${part - 100}::integer WHERE id = ${`csv_${heavy.id}1`}`.execute(
      database.query(),
    );
    const refusal = { code: 'LIMIT_REACHED', message: 'A workspace holds at most 1 GiB of files. Remove one first.' };
    await assert.rejects(makeCsvFile(database, heavy.id, owner.accountId), refusal);
    await makeCsvFile(database, heavy.id, owner.accountId, 'a,b\n1,2\n');
    const { rows } = await sql`SELECT id FROM csv_file WHERE ready_at IS NULL`.execute(database.query());
    assert.deepEqual(rows, [], 'nothing is left of what was refused');
    assert.equal(before['public.csv_file']?.length, MAX_CSV_FILES);
  },
);

forEachDatabase(
  'of uploads that arrive at once where there is room for one, one is added',
  { migrations: MIGRATIONS, only: 'postgres' },
  async ({ database }) => {
    const { owner, workspace } = await sceneIn(database);
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

forEachDatabase('too many uploads at once are told to wait', { migrations: MIGRATIONS }, async ({ database }) => {
  const { owner, workspace } = await sceneIn(database);
  await sql`
    INSERT INTO csv_file (id, workspace_id, name, created_at)
    SELECT 'csv_' || n, ${workspace.id}, 'x', now() FROM generate_series(1, 10) AS n`.execute(database.query());
  await assert.rejects(makeCsvFile(database, workspace.id, owner.accountId), {
    code: 'RATE_LIMITED',
    message: '10 files of the workspace are being uploaded. Wait for one to end.',
  });
});

forEachDatabase(
  'who is removed, or whose workspace is, in the middle of an upload adds nothing',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const scene = await sceneIn(database);
    const editor = await memberOf(scene, database, { role: 'editor' });
    const before = await restingRows(database);
    const uploadDuring = (meanwhile: () => Promise<unknown>) => {
      async function* body(): AsyncGenerator<Buffer> {
        yield Buffer.from(DAILY_CSV);
        await meanwhile();
        yield Buffer.from(`2024-03-01,1,x\n${'2024-03-02,1,y\n'.repeat(100_000)}`);
      }
      const upload = { workspace: scene.workspace.id, name: 'x', declared: UNDECLARED, body: body() };
      return uploadCsvFile(csvContext(database), editor, upload);
    };
    const collaborator = await placeOf(database, editor.accountId, scene.workspace.id);
    await assert.rejects(
      uploadDuring(() =>
        sql`UPDATE workspace_member SET role = 'viewer' WHERE id = ${collaborator}`.execute(database.query()),
      ),
      { code: 'WORKSPACE_DENIED' },
    );
    await sql`UPDATE workspace_member SET role = 'editor' WHERE id = ${collaborator}`.execute(database.query());
    assert.deepEqual(await restingRows(database), before);
    await assert.rejects(
      uploadDuring(() => sql`DELETE FROM workspace WHERE id = ${scene.workspace.id}`.execute(database.query())),
      { code: 'WORKSPACE_DENIED' },
    );
    const { rows } = await sql`SELECT file_id FROM csv_chunk`.execute(database.query());
    assert.deepEqual(rows, []);
  },
);
