import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { csvContext, inPieces, makeCsvFile, memberOf, sceneIn, UNDECLARED } from '../../../test/support/csv-files.ts';
import { forEachDatabase } from '../../../test/support/database.ts';
import { makeWorkspace } from '../../../test/support/workspaces.ts';
import type { Account } from '../../access/index.ts';
import { MIGRATIONS } from '../../compose.ts';
import { findMembership } from '../find-membership.ts';
import { exportCsvFile } from './export-csv-file.ts';
import { deleteCsvFile, listCsvFiles, readCsvFile, uploadCsvFile } from './index.ts';

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
    { code: 'INVALID_REQUEST', message: 'cursor: was not made for this list. Send the same filters with it.' },
  );
});
