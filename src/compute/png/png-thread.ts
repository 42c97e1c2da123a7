// Entry point of the thread that turns SVG into PNG, so that the thread that answers requests is not blocked.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { Moved, serveSessions } from '../../platform/threads/serve-sessions.ts';
import type { PngTask } from './png-renderer.ts';

/** The only fonts that a chart is drawn with. Fonts of the machine would give other pixels on another machine. */
const FONTS = ['Inter-Regular.ttf', 'Inter-SemiBold.ttf'].map(
  (name) => new Uint8Array(readFileSync(new URL(`../../../assets/fonts/${name}`, import.meta.url))),
);

await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));

serveSessions<null, PngTask, Uint8Array<ArrayBuffer>>(() => (task) => {
  const png = render(task);
  return new Moved(png, [png.buffer]);
});

function render({ svg, scale, maxPixels }: PngTask): Uint8Array<ArrayBuffer> {
  const font = { fontBuffers: FONTS, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' };
  const { width, height } = measure(svg);
  // The square root is exact to the last bit on every processor.
  const value = Math.min(scale, Math.sqrt(maxPixels / (width * height)));
  const drawing = new Resvg(svg, { font, fitTo: { mode: 'zoom', value } });
  try {
    const image = drawing.render();
    try {
      return new Uint8Array(image.asPng());
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}

function measure(svg: string): { width: number; height: number } {
  const drawing = new Resvg(svg, { font: { fontBuffers: [] } });
  try {
    return { width: drawing.width, height: drawing.height };
  } finally {
    drawing.free();
  }
}
