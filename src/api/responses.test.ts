import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { acceptsAnyVersion, beginBody, etagOf, fileDisposition, matchesEtag, namesVersion } from './responses.ts';

test('writes an ASCII file name once', () => {
  assert.equal(fileDisposition('GSPC-1D.csv'), 'attachment; filename="GSPC-1D.csv"');
  assert.equal(fileDisposition('a.csv', 'a.csv '), 'attachment; filename="a.csv"');
  assert.equal(fileDisposition('series.csv', ' '), 'attachment; filename="series.csv"');
});

test('adds an encoded second file name if the name has other letters', () => {
  const names: [string, string][] = [
    ['Übersicht 2024.csv', 'Übersicht 2024.csv'],
    ["it's (100%) *new*.csv", "it's (100%) _new_.csv"],
    ['売上高.csv', '売上高.csv'],
    ['😀.csv', '😀.csv'],
    ['../../etc/passwd.csv', '_.._etc_passwd.csv'],
    ['a"b\r\nSet-Cookie: c.csv', 'a_b__Set-Cookie_ c.csv'],
    ['exe.\u202evsc', 'exe._vsc'],
    ['half \ud83d.csv', 'half \ufffd.csv'],
  ];
  for (const [name, kept] of names) {
    const header = fileDisposition('x.csv', name);
    const [, value] =
      /^attachment; filename="x\.csv"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(header) ?? [];
    assert.equal(decodeURIComponent(value ?? ''), kept, header);
  }
});

test('If-Match compares strongly, If-None-Match weakly', () => {
  const etag = etagOf({ data: 1 });
  assert.notEqual(etag, etagOf({ data: 2 }));
  for (const header of [etag, ` ${etag} `, `"other",${etag}`, `W/"other" ,\t${etag}, ""`, `"a,b", ${etag}`]) {
    assert.ok(namesVersion(header, etag), header);
    assert.ok(matchesEtag(header, etag), header);
  }
  const stale = [
    '',
    ',',
    '""',
    '*',
    `W/${etag}`,
    etag.slice(1),
    `${etag}${etag}`,
    `${etag},`,
    `"a,${etag},b"`,
    `x${etag}`,
  ];
  for (const header of stale) assert.ok(!namesVersion(header, etag), header);
  assert.ok(matchesEtag(`W/${etag}`, etag));
  assert.deepEqual(
    ['*', ' * ', '"*"', '*, *', 'W/*'].map((header) => acceptsAnyVersion(header)),
    [true, true, false, false, false],
  );
});

test('a body that fails before its first chunk fails before it is sent, and otherwise has all chunks', async () => {
  const failing = async function* () {
    yield* [] as Buffer[];
    throw new Error('no rows');
  };
  await assert.rejects(beginBody(failing()), /no rows/);
  const chunks = async function* () {
    yield* [Buffer.from('a'), Buffer.from('b')];
  };
  const begun = await beginBody(chunks());
  assert.equal(await text(begun()), 'ab');
  const empty = async function* () {
    yield* [] as Buffer[];
  };
  assert.equal(await text((await beginBody(empty()))()), '');
});
