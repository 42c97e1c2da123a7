import { encodePng } from './png.ts';

/** The displayed size in pixels. The image has twice the resolution, for high-density screens. */
export const CHART_SIZE = { width: 120, height: 32 };
const SCALE = 2;
const THICKNESS = 3;
const MARGIN = 4;

const BACKGROUND = [255, 255, 255] as const;
const LINE_COLOR = [31, 84, 158] as const;

/** Draws a line through the values as a PNG. Returns null for fewer than two values. */
export function drawChart(values: readonly number[]): Buffer | null {
  if (values.length < 2) return null;
  const [width, height] = [CHART_SIZE.width * SCALE, CHART_SIZE.height * SCALE];
  const pixels = new Uint8Array(width * height);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (index: number) => MARGIN + (index / (values.length - 1)) * (width - 1 - 2 * MARGIN);
  const y = (value: number) => height - 1 - MARGIN - ((value - low) / span) * (height - 1 - 2 * MARGIN);
  for (let index = 1; index < values.length; index++) {
    const from = [x(index - 1), y(values[index - 1] ?? low)] as const;
    const to = [x(index), y(values[index] ?? low)] as const;
    const steps = Math.ceil(Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])));
    for (let step = 0; step <= steps; step++) {
      const share = steps === 0 ? 0 : step / steps;
      drawDot(pixels, width, from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]));
    }
  }
  return encodePng({ width, height, pixels, palette: [BACKGROUND, LINE_COLOR] });
}

/** Draws a dot. The margin of the chart is wider than half a dot, so no dot crosses an edge. */
function drawDot(pixels: Uint8Array, width: number, x: number, y: number): void {
  const [left, top] = [Math.round(x - THICKNESS / 2), Math.round(y - THICKNESS / 2)];
  for (let row = top; row < top + THICKNESS; row++) pixels.fill(1, row * width + left, row * width + left + THICKNESS);
}
