import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import {
  addMember,
  csvContext,
  inPieces,
  makeCsvFile,
  openCsvScene,
  UNDECLARED,
} from '../../../test/support/workspaces/csv-files.ts';
import { makeWorkspace } from '../../../test/support/workspaces/workspaces.ts';
import type { Account } from '../../access/index.ts';
import { MIGRATIONS } from '../../compose/index.ts';
import { CSV_FORMATS } from '../../contract/index.ts';
import { findMembership } from '../memberships.ts';
import { deleteCsvFile } from './delete-csv-file.ts';
import { exportCsvFile } from './export-csv-file.ts';
import { listCsvFiles } from './list-csv-files.ts';
import { readCsvFile } from './read-csv-file.ts';
import { uploadCsvFile } from './upload/upload-csv-file.ts';

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

forEachDatabase(
  'stores, describes, reads and exports a file unchanged',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const context = csvContext(database);
    const scene = await openCsvScene(database);
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
      await readText(chunks()),
      `when,Wert,note\r\n01.01.2024,"1,5",'=SUM(A1)\r\n31.01.2024,-2,"a ""b""\nc"\r\n15.02.2024,,'@x\r\n`,
    );
    const { value: first } = await chunks()[Symbol.asyncIterator]().next();
    assert.match(String(first), /01\.01\.2024/, 'the header comes with rows, so that a failed read sends nothing');
    const other = await makeCsvFile(database, scene.workspace.id, scene.owner.accountId);
    await assert.rejects(
      readCsvFile(context, scene.owner, { ...named, id: other, limit: 1, cursor: page.nextCursor }),
      {
        code: 'INVALID_REQUEST',
        message: 'cursor: was not issued for this file. Leave it out to start with the first row.',
      },
    );
  },
);

forEachDatabase(
  'exports numbers and times in every format as they were uploaded, and reads them back as the same columns',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const context = csvContext(database);
    const { owner, workspace } = await openCsvScene(database);
    const columns: Record<string, readonly string[]> = {
      point: ['-1.5', '+2', '-.5', '-1e3', ''],
      commas: ['-1,234.5', '1,234,567', '-2', '+1,000.25', 'NA'],
      apostrophes: ["-1'234.5", "12'345", '-0.5', '-7', '.'],
      spaces: ['-1 234', '-1 234 567.25', '5', '-6', ''],
      narrow: ['-1\u00a0234', '-1\u202f234', '−3.5', '4', ''],
      comma: ['-1,5', '-2.000,25', ' -3,25 ', '+4,5', ''],
      comma_spaces: ['-1 234,5', '-2,5e-3', '1', '2', ''],
      '-1,5': ['-x', '=1+1', '-1,5', '@a', '-1.5'],
      iso: ['2024-01-01', '2024-01-02T10:00-05:00', '2024/01/03', '2024-01-04 4:00 PM', '2024-01-05'],
      basic: ['20240101', '20240102', '20240103', '20240104', '20240105'],
      week: ['2024-W01', '2024-W02', '2024-W03', '2024-W04', '2024-W05'],
      month: ['2024-01', '2024M02', 'Mar-2024', 'April 2024', '2024-05'],
      quarter: ['2024Q1', 'Q2 2024', '2024-Q3', 'q4-2024', '2025Q1'],
      year: ['2020', '2021', '2022', '2023', '2024'],
      day: ['31.01.2024', '01.02.2024', '02.02.2024', '03.02.2024', '04.02.2024'],
      american: ['1/31/2024', '2/1/2024', '2/2/2024', '2/3/2024', '2/4/2024'],
      named: ['Jan 1, 2024', '2 Jan 2024', '3-Jan-2024', 'January 4, 2024', '5 Jan 2024'],
    };
    const upload = async (text: string) => {
      const body = inPieces(text);
      return uploadCsvFile(context, owner, { workspace: workspace.id, name: 'x', declared: UNDECLARED, body });
    };
    const download = async (id: string) =>
      readText((await exportCsvFile(context, owner, { workspace: workspace.id, id })).chunks());
    const shapeOf = ({ columns: found }: Awaited<ReturnType<typeof upload>>) =>
      found.map(({ name, type, format, nulls }) => [name, type, format, nulls]);
    const quote = (cell = '') => `"${cell.replaceAll('"', '""')}"`;
    const line = (cells: readonly (string | undefined)[]) => `${cells.map(quote).join(';')}\n`;
    const text =
      line(Object.keys(columns)) +
      [0, 1, 2, 3, 4].map((row) => line(Object.values(columns).map((cells) => cells[row]))).join('');

    const file = await upload(text);
    const formats = file.columns.map(({ format }) => format).filter((format) => format !== null);
    assert.deepEqual([...new Set(formats)].sort(), [...CSV_FORMATS].sort(), 'the file has every format');
    const first = await download(file.id);
    const again = await upload(first);
    const page = await readCsvFile(context, owner, { workspace: workspace.id, id: again.id, limit: 9 });
    const guarded = ["'-x", "'=1+1", "'-1,5", "'@a", '-1.5'];
    const expected = Object.entries(columns).map(([name, cells]) => (name === '-1,5' ? guarded : cells));
    assert.deepEqual(
      page.rows,
      [0, 1, 2, 3, 4].map((row) => expected.map((cells) => cells[row])),
    );
    const named = (shape: unknown[][]) => shape.map(([name, ...rest]) => [name === '-1,5' ? "'-1,5" : name, ...rest]);
    assert.deepEqual(shapeOf(again), named(shapeOf(file)));
    assert.equal(await download(again.id), first, 'a second round trip gives the same file');
  },
);

forEachDatabase(
  'reads a file of many chunks from any row and exports all of it',
  { migrations: MIGRATIONS },
  async (fixture) => {
    const { database } = fixture;
    const context = csvContext(database);
    const { owner, workspace } = await openCsvScene(database);
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
    const exported = await readText((await exportCsvFile(context, owner, named)).chunks());
    assert.equal(exported, `n,text,v\r\n${lines.join('\r\n')}\r\n`);
  },
);

forEachDatabase(
  'ends a page of very long rows early, with a cursor',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const { owner, workspace } = await openCsvScene(database);
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
  'lets a member see, add and remove files in its scope only',
  { migrations: MIGRATIONS },
  async ({ database }) => {
    const context = csvContext(database);
    const scene = await openCsvScene(database);
    const { owner, workspace } = scene;
    const seen = await makeCsvFile(database, workspace.id, owner.accountId);
    const hidden = await makeCsvFile(database, workspace.id, owner.accountId);
    const editor = await addMember(scene, database, {
      role: 'editor',
      csv_scope_mode: 'selected',
      csv_scope_ids: [seen],
    });
    const other = await addMember(scene, database, { csv_scope_mode: 'selected', csv_scope_ids: [hidden, seen] });
    const listed = async (member: Account) =>
      (await listCsvFiles(context, member, { workspace: workspace.id, limit: 10 })).files.map(({ id }) => id);
    assert.deepEqual(await listed(editor), [seen]);
    assert.deepEqual((await listed(other)).sort(), [seen, hidden].sort());
    const absent = 'csv_00000000000000000000000000';
    for (const id of [hidden, absent]) {
      for (const operation of [readCsvFile, exportCsvFile, deleteCsvFile]) {
        await assert.rejects(operation(context, editor, { workspace: workspace.id, id, limit: 1 }), {
          code: 'NOT_FOUND',
          message: 'No file of this workspace has this id.',
        });
      }
    }
    const own = await makeCsvFile(database, workspace.id, editor.accountId);
    assert.deepEqual((await listed(editor)).sort(), [seen, own].sort(), 'a member sees the file that it added');
    assert.ok(!(await listed(other)).includes(own), 'other members see the same files as before');
    await deleteCsvFile(context, editor, { workspace: workspace.slug, id: seen });
    assert.deepEqual(await listed(editor), [own]);
    const scopes = await Promise.all(
      [editor, other].map(async (member) => (await findMembership(database, member.accountId, workspace.id))?.csv.ids),
    );
    assert.deepEqual(scopes, [[own], [hidden]], 'a deleted file is in no scope');
    await assert.rejects(deleteCsvFile(context, editor, { workspace: workspace.id, id: seen }), { code: 'NOT_FOUND' });
  },
);

forEachDatabase('continues a list with its cursor', { migrations: MIGRATIONS }, async ({ database }) => {
  const context = csvContext(database);
  const { owner, workspace } = await openCsvScene(database);
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
    {
      code: 'INVALID_REQUEST',
      message: 'cursor: belongs to another list. Repeat the request that returned it with the same filters.',
    },
  );
});
