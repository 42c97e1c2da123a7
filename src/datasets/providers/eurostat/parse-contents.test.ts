import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '../../../platform/index.ts';
import { parseContents } from './parse-contents.ts';

const HEADER =
  '"title"\t"code"\t"type"\t"last update of data"\t"last table structure change"\t"data start"\t"data end"\t"values"';
const FOLDER = '"    Prices"\t"prc"\t"folder"\t" "\t" "\t" "\t" "';
const row = (code: string, { updated = '28.03.2024', start = '1996-01', end = '2024-02' } = {}) =>
  `"        HICP"\t"${code}"\t"dataset"\t"${updated}"\t"28.03.2024"\t"${start}"\t"${end}"\t1000`;

test('reads rows of folders with and without the last cell, and both kinds of line ends', async () => {
  for (const end of ['\n', '\r\n']) {
    for (const folder of [FOLDER, `${FOLDER}\t`]) {
      const root = folder.replace('    Prices', 'Database by themes');
      const [entry, ...rest] = await parseContents(`\ufeff${[HEADER, root, folder, row('prc_hicp_midx')].join(end)}`);
      assert.deepEqual(rest, []);
      assert.deepEqual(entry, {
        seriesId: 'prc_hicp_midx',
        title: 'HICP',
        keywords: ['Prices'],
        frequency: null,
        units: '',
        span: { first: Date.UTC(1996, 0), last: Date.UTC(2024, 1) },
        lastUpdate: '2024-03-28T00:00:00.000Z',
      });
    }
  }
});

test('leaves a folder when a title has fewer spaces', async () => {
  const folder = (depth: number, title: string) => FOLDER.replace('    Prices', '    '.repeat(depth) + title);
  const text = [HEADER, folder(0, 'All'), folder(1, 'A'), folder(2, 'B'), folder(1, 'C'), row('x')].join('\n');
  assert.deepEqual((await parseContents(text))[0]?.keywords, ['C']);
});

test('reads every form of the span, and states none if a date or period is not one', async () => {
  const read = async (options: Parameters<typeof row>[1]) =>
    (await parseContents(`${HEADER}\n${row('x', options)}`))[0];
  assert.deepEqual((await read({ start: '1975', end: '2024-Q1' }))?.span, {
    first: Date.UTC(1975),
    last: Date.UTC(2024, 0),
  });
  assert.deepEqual((await read({ start: '2020-W53', end: '2024-02-29' }))?.span, {
    first: Date.UTC(2020, 11, 28),
    last: Date.UTC(2024, 1, 29),
  });
  assert.equal((await read({ start: ' ' }))?.span, null);
  assert.equal((await read({ start: '2025', end: '2024' }))?.span, null);
  for (const updated of [' ', '2024-03-28', '31.02.2024', '28.03.24']) {
    assert.equal((await read({ updated }))?.lastUpdate, null, updated);
  }
});

test('skips rows that cannot be read, and gives no data set the title of a folder before them', async () => {
  const good = row('x');
  const bad = {
    'another type': good.replace('"dataset"', '"cube"'),
    'a code with a slash': row('a/b'),
    'a long code': row('a'.repeat(101)),
    'an empty code': row(''),
    'an open quote': good.replace('HICP"', 'HICP'),
    'an empty title': good.replace('HICP', ''),
    'a missing cell': good.split('\t').slice(0, 6).join('\t'),
    'a further cell': `${good}\t"x"`,
    'no tabs': 'x',
  };
  for (const [name, line] of Object.entries(bad)) {
    const entries = await parseContents([HEADER, line, row('y')].join('\n'));
    assert.deepEqual(
      entries.map(({ seriesId }) => seriesId),
      ['y'],
      name,
    );
  }
  const root = FOLDER.replace('    Prices', 'All');
  const folder = FOLDER.replace('"folder"', '"chapter"').replace('Prices', 'Other');
  for (const line of [folder, `${FOLDER}\t\t\t`]) {
    const [entry] = await parseContents([HEADER, root, FOLDER, line, row('y')].join('\n'));
    assert.deepEqual(entry?.keywords, []);
  }
  const [entry] = await parseContents([HEADER, root, 'x', FOLDER, row('y')].join('\n'));
  assert.deepEqual(entry?.keywords, ['Prices']);
});

test('refuses a text of which more than half of the rows cannot be read', async () => {
  const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';
  const text = [HEADER, row('x'), 'bad', row('y'), 'bad'].join('\n');
  assert.equal((await parseContents(text)).length, 2);
  await assert.rejects(parseContents(`${text}\nbad`), isMalformed);
  const comext = Array.from({ length: 5 }, (_, i) => row(`DS-04540${i}`));
  assert.equal((await parseContents([text, ...comext].join('\n'))).length, 2);
});

test('accepts columns in another order, further columns and long titles', async () => {
  const move = (line: string) => {
    const [title, code, type, ...rest] = line.split('\t');
    return [type, '"new"', ...rest, title, code].join('\t');
  };
  const lines = [HEADER, FOLDER.replace('    Prices', 'All'), FOLDER, row('x')];
  const moved = lines.map((line) => move(line.split('\t').length === 8 ? line : `${line}\t`));
  assert.deepEqual(await parseContents(moved.join('\n')), await parseContents(lines.join('\n')));
  const [entry] = await parseContents(`${HEADER}\n${row('x').replace('HICP', `\u0007${'x'.repeat(5_000)}`)}`);
  assert.equal(entry?.title, 'x'.repeat(2_000));
});

test('refuses texts that are not a table of contents', async () => {
  const texts = {
    empty: '',
    html: '<!doctype html><title>Please wait</title>',
    'without data sets': `${HEADER}\n${FOLDER}`,
    'other columns': `${HEADER.replace('"code"', '"name"')}\n${row('x')}`,
    'a missing column': `${HEADER}\n${row('x').replace('"dataset"\t', '')}\n${row('y').split('\t').slice(0, 6).join('\t')}`,
    'another type': `${HEADER}\n${row('x').replace('"dataset"', '"cube"')}`,
    'a code with a slash': `${HEADER}\n${row('a/b')}`,
    'an empty code': `${HEADER}\n${row('')}`,
    'an open quote': `${HEADER}\n${row('x').replace('HICP"', 'HICP')}`,
    'an empty title': `${HEADER}\n${row('x').replace('HICP', '')}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';
    await assert.rejects(parseContents(text), isMalformed, name);
  }
});

test('lets other work run while it reads many rows', async () => {
  const text = [HEADER, ...Array.from({ length: 3_000 }, (_, i) => row(`x${i}`))].join('\n');
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  assert.equal((await parseContents(text)).length, 3_000);
  isDone = true;
  assert.ok(turns >= 8, `${turns} turns`);
});
