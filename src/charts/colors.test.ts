import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHART_STYLE } from './colors.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** What readers with each kind of full color blindness see, in linear light (Machado, Oliveira and Fernandes, 2009). */
const READERS: Readonly<Record<string, readonly Rgb[]>> = {
  'full color vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Colors that mean different things in one chart. */
const PAIRS = [
  ['fan', 'outcome'],
  ['median', 'outcome'],
] as const;

/** The palettes as the stylesheet has them: light, then dark. */
const palettes = [...CHART_STYLE.matchAll(/\.almanac-chart\{([^}]+)\}/g)].map(
  ([, rules = '']) =>
    new Map([...rules.matchAll(/--chart-(\w+):(#[\da-f]{6})/g)].map(([, name = '', hex = '']) => [name, linear(hex)])),
);

function linear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function dot([a, b, c]: Rgb, [x, y, z]: Rgb): number {
  return a * x + b * y + c * z;
}

/** Returns the coordinates in CIELAB, where distances are about as large as they seem. */
function lab(color: Rgb): Rgb {
  const f = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = f(dot([0.4124, 0.3576, 0.1805], color) / 0.9505);
  const y = f(dot([0.2126, 0.7152, 0.0722], color));
  const z = f(dot([0.0193, 0.1192, 0.9505], color) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function seen(color: Rgb, reader: readonly Rgb[]): Rgb {
  const [red = 0, green = 0, blue = 0] = reader.map((row) => Math.max(0, Math.min(1, dot(row, color))));
  return [red, green, blue];
}

const luminance = (color: Rgb) => dot([0.2126, 0.7152, 0.0722], color);

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('readers with any kind of color blindness can tell a forecast from its outcome', () => {
  assert.equal(palettes.length, 2);
  for (const palette of palettes) {
    for (const [one, other] of PAIRS) {
      for (const [name, reader] of Object.entries(READERS)) {
        const [from, to] = [one, other].map((color) => lab(seen(palette.get(color) as Rgb, reader)));
        const distance = Math.hypot(...(from as Rgb).map((value, at) => value - (to?.[at] ?? 0)));
        // A distance of about 2 is just visible; 30 is a clearly different color also in thin lines.
        assert.ok(distance >= 30, `${one} and ${other} for ${name}: ${distance.toFixed(1)}`);
      }
    }
  }
});

test('lines that carry values have a contrast of at least 3 to the background, and labels 4.5', () => {
  for (const palette of palettes) {
    for (const [color, minimum] of [
      ['history', 3],
      ['fan', 3],
      ['median', 3],
      ['outcome', 3],
      ['ink', 4.5],
      ['soft', 4.5],
    ] as const) {
      const ratio = contrast(palette.get(color) as Rgb, palette.get('back') as Rgb);
      assert.ok(ratio >= minimum, `${color}: ${ratio.toFixed(2)}`);
    }
  }
});
