import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import type { MailContent } from '../read-content.ts';
import { CHART_SIZE, drawChart } from './chart.ts';
import { renderSparkline } from './mail-text.ts';
import { renderScreenerMail } from './screener-mail.ts';

test('renders a sparkline from the lowest bar to the highest', () => {
  assert.equal(renderSparkline([1, 2, 3, 8]), '▁▂▃█');
  assert.equal(renderSparkline([5, 5, 5]), '▄▄▄');
  assert.equal(renderSparkline([3, 1]), '█▁');
  assert.deepEqual([renderSparkline([]), renderSparkline([1])], ['', '']);
});

/** Reads a PNG strictly: every length and every checksum must be correct. */
function readPng(png: Buffer) {
  assert.deepEqual(png.subarray(0, 8), Buffer.from('89504e470d0a1a0a', 'hex'));
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [8, 3, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  assert.equal(rows.length, height * (width + 1));
  return { width, height, at: (x: number, y: number) => rows[y * (width + 1) + 1 + x], rows };
}

test('draws a PNG with a line from the first value to the last', () => {
  assert.deepEqual([drawChart([]), drawChart([1])], [null, null]);
  const rising = readPng(drawChart([1, 2, 3, 4]) ?? Buffer.alloc(0));
  assert.deepEqual([rising.width, rising.height], [2 * CHART_SIZE.width, 2 * CHART_SIZE.height]);
  const linePixels = (x: number) =>
    Array.from({ length: rising.height }, (_, y) => y).filter((y) => rising.at(x, y) === 1);
  const columns = Array.from({ length: rising.width }, (_, x) => linePixels(x));
  assert.ok(
    columns.slice(4, -4).every((column) => column.length > 0),
    'the line has no gap',
  );
  assert.ok(
    (columns[4]?.[0] ?? 0) > 50 && (columns.at(-5)?.[0] ?? 99) < 10,
    'the line rises from the bottom to the top',
  );
  for (const values of [[7, 7, 7], [-5, 0], Array.from({ length: 30 }, (_, i) => Math.sin(i)), [1e300, -1e300]]) {
    const { rows, width, height } = readPng(drawChart(values) ?? Buffer.alloc(0));
    assert.ok(rows.length === height * (width + 1) && rows.every((pixel) => pixel <= 1));
    for (let y = 0; y < height; y++) assert.equal(rows[y * (width + 1)], 0, 'no row has a filter');
  }
});

const CONTENT: MailContent = {
  session: '2026-03-09',
  filters: [
    {
      id: 'alt_1',
      name: `<img src=x onerror=alert(1)> & "friends" of O'Neil`,
      total: 1_234,
      newCount: 1,
      matches: [
        {
          symbol: 'A<B',
          isNew: true,
          values: { volume: 12_345_678, close: 0.01234, change_pct: 3.456, previous_sma_20: null, sma_20: 1_234.5 },
        },
        { symbol: 'C', isNew: false, values: { volume: 1, close: 99, change_pct: -1, previous_sma_20: 2, sma_20: 3 } },
      ],
    },
  ],
  closes: new Map([
    ['A<B', [1, 2]],
    ['C', [5]],
  ]),
};

const ENVELOPE = {
  to: 'a@example.org',
  siteUrl: 'https://almanac.example',
  unsubscribe: 'https://almanac.example/out?token=a.b',
};

test('escapes the names of filters and symbols in HTML', () => {
  const { html = '', images = [] } = renderScreenerMail({ ...ENVELOPE, ...CONTENT });
  assert.doesNotMatch(html, /<img src=x|A<B/);
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;friends&quot; of O&#39;Neil'));
  const tags = new Set(Array.from(html.matchAll(/<([a-z0-9]+)/g), ([, tag]) => tag));
  const expected = [
    'html',
    'head',
    'meta',
    'title',
    'body',
    'p',
    'h2',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'b',
    'img',
    'a',
    'br',
  ];
  assert.deepEqual([...tags].sort(), expected.sort());
  assert.equal(images.length, 1, 'a single close has no chart');
  assert.doesNotMatch(html, /https?:\/\/(?!almanac\.example)/, 'the email loads nothing from other sites');
});

test('renders text with columns in the order of the fields and the number of further matches', () => {
  const { text, subject } = renderScreenerMail({ ...ENVELOPE, ...CONTENT });
  assert.equal(subject, 'Screener 2026-03-09: 1,234 matches, 1 new');
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.includes('Symbol'));
  assert.deepEqual(lines.slice(head, head + 4), [
    '  Symbol   Close  Change      Volume    SMA 20  SMA 20 (previous)',
    '* A<B     0.0123  +3.46%  12,345,678  1,234.50                  –  ▁█',
    '  C        99.00  -1.00%           1      3.00               2.00',
    'and 1,232 more; the API lists all matches',
  ]);
  assert.ok(text.endsWith(`\n\n${ENVELOPE.unsubscribe}\n`));
});
