import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXml, XmlError } from './parse-xml.ts';

async function read(document: string | Uint8Array): Promise<string[]> {
  const parts: string[] = [];
  await parseXml(Buffer.from(document), {
    open: (name, attributes) => parts.push(`<${name} ${JSON.stringify(attributes)}`),
    text: (text) => parts.push(text),
    close: (name) => parts.push(`/${name}`),
  });
  return parts;
}

test('returns elements without prefixes, attributes, text and CDATA in order', async () => {
  const parts = await read('\ufeff<?xml version="1.0"?><a:b xml:lang="en" c="&lt;é">x&amp;y<![CDATA[<&]]><d/></a:b>');
  assert.deepEqual(parts, ['<b {"xml:lang":"en","c":"<é"}', 'x&y', '<&', '<d {}', '/d', '/b']);
});

test('reads a document whose characters cross the ends of steps', async () => {
  const text = 'é€😀\r\n'.repeat(12_000);
  const [, ...parts] = await read(`<a>${text}</a>`);
  assert.equal(parts.slice(0, -1).join(''), text.replaceAll('\r\n', '\n'));
});

test('lets other work run while it parses', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await read(`<a>${'<b>text</b>'.repeat(60_000)}</a>`);
  isDone = true;
  assert.ok(turns >= 10, `${turns} turns`);
});

const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  JSON: '{"a":1}',
  'an unclosed element': '<a><b></a>',
  'a cut document': '<a><b>text</b>',
  'two roots': '<a/><b/>',
  'two attributes with one name': '<a b="1" b="2"/>',
  'a document type': '<!DOCTYPE a><a/>',
  'an entity of its own': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  'an unknown entity': '<a>&b;</a>',
  'a character that XML does not allow': '<a>\u0001</a>',
  'another encoding': Buffer.from('<a>é</a>', 'latin1'),
  'a cut character': Buffer.concat([Buffer.from('<a/>'), Buffer.from([0xc3])]),
  'elements that are nested too deeply': `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`,
};

for (const [name, document] of Object.entries(REFUSED)) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(read(document), XmlError);
  });
}

test('passes on errors of the handler', async () => {
  const open = () => {
    throw new RangeError('stop');
  };
  await assert.rejects(parseXml(Buffer.from('<a/>'), { open, text: () => {}, close: () => {} }), RangeError);
});
