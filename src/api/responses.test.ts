import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsAnyVersion, etagOf, fileDisposition, matchesEtag, namesVersion } from './responses.ts';

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
