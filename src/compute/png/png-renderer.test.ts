import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { drawForecastChart } from '../../charts/index.ts';
import { PngRenderer } from './png-renderer.ts';

const real = new PngRenderer({ maxPixels: 250_000 });
after(() => real.close());

const chart = {
  title: 'Passengers & crew',
  units: 'thousands',
  history: { timestamps: [0, 1, 2, 3].map((month) => Date.UTC(2026, month)), values: [112, 118, 132, 129] },
  predictions: [{ timestamp: Date.UTC(2026, 4), quantiles: { '0.1': 110, '0.5': 121, '0.9': 135 } }],
  outcome: [],
};

/** Returns the size that the header of a PNG names. */
function sizeOf(png: Uint8Array): { width: number; height: number } {
  const bytes = Buffer.from(png);
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

test('draws a chart with the bundled fonts', async () => {
  const svg = drawForecastChart(chart, { width: 300, height: 200, colors: 'light' });
  const png = await real.render(svg);
  assert.deepEqual(sizeOf(png), { width: 600, height: 400 });
  assert.ok(png.length < 60_000, `${png.length} bytes`);
});

test('draws the same bytes on every machine, with both weights of the font', async () => {
  const draw = (weight: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="15" font-weight="${weight}">Ab \u2212 1\u00bd\u0416</text><path d="M0 0C20 5 30 17 60 20" fill="none" stroke="#369"/></svg>`;
  const hashes = [];
  for (const weight of [400, 600]) {
    const png = await real.render(draw(weight));
    hashes.push(createHash('sha256').update(png).digest('hex').slice(0, 16));
  }
  assert.deepEqual(hashes, ['70235ac5c6ed7bb0', '763982aa9b36b74a']);
});

test('makes a large drawing smaller and refuses one that is not SVG', async () => {
  const large = '<svg xmlns="http://www.w3.org/2000/svg" width="40000" height="10000"/>';
  assert.deepEqual(sizeOf(await real.render(large)), { width: 1000, height: 250 });
  assert.deepEqual(sizeOf(await real.render(large, { scale: 0.01 })), { width: 400, height: 100 });
  await assert.rejects(real.render(`<svg>${' '.repeat(1e6)}</svg>`), RangeError);
  await assert.rejects(real.render('<svg>&bomb;</svg>'), { code: 'UNAVAILABLE' });
});

const SERVE = new URL('../../platform/threads/serve-sessions.ts', import.meta.url);
/** Draws nothing: it loops, ends or answers as the task orders. */
const SCRIPT = `
  import { serveSessions } from ${JSON.stringify(SERVE.href)};
  serveSessions(() => ({ svg }) => {
    if (svg === 'exit') process.exit(3);
    while (svg === 'loop');
    return new Uint8Array([1]);
  });`;
const script = new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`);

test('ends a thread that does not answer or dies, and draws the next image in another one', async () => {
  const renderer = new PngRenderer({ script, timeoutMs: 300 });
  await assert.rejects(renderer.render('loop'), { code: 'UNAVAILABLE' });
  await assert.rejects(renderer.render('exit'), { code: 'UNAVAILABLE' });
  const patient = new PngRenderer({ script });
  await assert.rejects(patient.render('exit'), { code: 'UNAVAILABLE' });
  assert.deepEqual(await patient.render('draw'), new Uint8Array([1]));
  await Promise.all([renderer.close(), patient.close()]);
});

test('refuses more calls than may wait, and takes calls again afterward', async () => {
  const renderer = new PngRenderer({ script, maxWaiting: 2 });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((svg) => renderer.render(svg)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  assert.deepEqual(await renderer.render('d'), new Uint8Array([1]));
  await renderer.close();
});
