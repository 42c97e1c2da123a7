import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../src/contract/index.ts';
import { type ColumnDescription, ColumnProfile } from '../../src/workspaces/csv/describing/column-profile.ts';
import { type CsvOutline, CsvReader } from '../../src/workspaces/csv/reading/csv-reader.ts';
import { detectDelimiter } from '../../src/workspaces/csv/reading/detect-delimiter.ts';
import { isHeader } from '../../src/workspaces/csv/reading/header.ts';
import { createSeededRandom, type Random } from '../support/platform/seeded-random.ts';
import { damageFile, generateFile } from './csv-generated.ts';
import { type Detection, readByReference } from './csv-reference.ts';

/** The number of files; a long run uses ten thousand. */
const FILES = Number(process.env.ALMANAC_MUTATED_FILES ?? 400);
const SEED = Number(process.env.ALMANAC_MUTATION_SEED ?? 20_240_131);

const DETECTION: Detection = { detectDelimiter, isHeader };

interface Table extends CsvOutline {
  readonly table: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly columns: readonly ColumnDescription[];
}

/** Reads a file that arrives in pieces of random length. Returns its table, or the fault. */
function read(bytes: Buffer, random: Random): Table | Fault {
  const table: { line: number; cells: string[] }[] = [];
  const reader = new CsvReader({ encoding: null, header: null, delimiter: null, dates: null }, (cells, line) =>
    table.push({ line, cells }),
  );
  try {
    for (let at = 0; at < bytes.length; ) {
      const length = 1 + Math.floor(random() ** 3 * bytes.length);
      reader.push(bytes.subarray(at, at + length));
      at += length;
    }
    const outline = reader.end();
    const profiles = outline.names.map((name) => new ColumnProfile(name));
    for (const { line, cells } of table) for (const [i, cell] of cells.entries()) profiles[i]?.add(cell, line);
    return { ...outline, table, columns: profiles.map((profile) => profile.describe()) };
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const formatFile = (bytes: Buffer, seed: number) => `seed ${seed}: ${JSON.stringify(bytes.toString('latin1'))}`;

test(`reads ${FILES} generated files as they were written`, () => {
  for (let i = 0; i < FILES; i++) {
    const random = createSeededRandom(SEED + i);
    const file = generateFile(random);
    const found = read(file.bytes, random);
    const where = formatFile(file.bytes, SEED + i);
    assert.ok(!(found instanceof Fault), `${found instanceof Fault && found.message} ${where}`);
    assert.deepEqual(
      found.table.map(({ cells }) => cells),
      file.rows,
      where,
    );
    assert.deepEqual(
      [found.names, found.delimiter, found.encoding, found.hasHeader],
      [file.names.map((name) => name.trim()), file.delimiter, file.encoding, true],
      where,
    );
    assert.deepEqual([found.columns[0]?.type, found.columns[0]?.format], ['timestamp', 'iso'], where);
  }
});

test(`reads or refuses ${FILES} damaged files as the reference reader does`, (context) => {
  let refused = 0;
  for (let i = 0; i < FILES; i++) {
    const random = createSeededRandom(SEED + i);
    const bytes = damageFile(random, generateFile(random).bytes);
    const found = read(bytes, random);
    const expected = readByReference(bytes, DETECTION);
    const where = formatFile(bytes, SEED + i);
    if (found instanceof Fault) {
      refused++;
      assert.equal(found.code, 'INVALID_REQUEST', where);
      const [, line] = /^line (\d+): [a-z].*\.$/s.exec(found.message) ?? [];
      assert.ok('refusedAt' in expected, `${found.message} ${where}`);
      assert.equal(Number(line), expected.refusedAt, `${found.message} ${where}`);
      continue;
    }
    assert.ok('rows' in expected, `refused at ${'refusedAt' in expected && expected.refusedAt}: ${where}`);
    assert.deepEqual(
      [found.names, found.table, found.encoding],
      [expected.names, expected.rows, expected.encoding],
      where,
    );
    for (const [index, column] of found.columns.entries()) {
      checkColumn(
        column,
        found.table.map(({ cells }) => (cells[index] ?? '').trim()),
        where,
      );
    }
  }
  context.diagnostic(`${refused} of ${FILES} refused`);
  assert.ok(refused > FILES / 20 && refused < FILES * 0.95, `${refused} of ${FILES} refused`);
});

const MISSING = ['', 'na', 'n/a', '#n/a', 'nan', 'null', '.'];

/** Asserts that the description of a column holds for each of its cells. */
function checkColumn(column: ColumnDescription, cells: readonly string[], where: string): void {
  const present = cells.filter((cell) => !MISSING.includes(cell.toLowerCase()));
  assert.equal(column.nulls, cells.length - present.length, where);
  assert.equal(column.type === 'empty', present.length === 0, where);
  for (const cell of present) {
    if (column.type === 'boolean') assert.match(cell, /^(true|false)$/i, where);
    if (column.type === 'number') {
      const decimal = column.format === 'decimal_comma' ? ',' : '.';
      const plain = cell.replace(/[^\d.,eE+-]/g, '').replaceAll(decimal === ',' ? '.' : ',', '');
      assert.ok(Number.isFinite(Number(plain.replace(',', '.'))), `${cell} ${where}`);
    }
    if (column.format === 'iso') assert.ok(!Number.isNaN(Date.parse(cell.replaceAll('/', '-'))), `${cell} ${where}`);
  }
}
