/** The colors of a chart. Text has a contrast of at least 4.5 to `back`, lines that carry values at least 3. */
const PALETTES = {
  light: {
    back: '#ffffff',
    ink: '#1b2430',
    soft: '#556070',
    grid: '#e7e5df',
    axis: '#8b95a3',
    history: '#3a4656',
    fan: '#2f6fc4',
    median: '#1f4e8c',
    outcome: '#b25600',
    shade: '#f1f4f9',
  },
  dark: {
    back: '#1a2029',
    ink: '#e9ecf1',
    soft: '#a9b3c2',
    grid: '#2b3340',
    axis: '#6d788a',
    history: '#c3cbd7',
    fan: '#6ea6f2',
    median: '#9dc1f5',
    outcome: '#f0a95c',
    shade: '#222a36',
  },
} as const;

export type ChartColors = 'variables' | 'light' | 'dark';
type Color = keyof (typeof PALETTES)['light'];

/** Returns the attributes of an element that is filled or drawn with one of the colors. */
export type Paint = (kind: 'fill' | 'stroke', color: Color) => string;

/**
 * Returns the paint for a chart. With variables, elements have classes, for which CHART_STYLE has the rules; otherwise
 * they have the colors as attributes and need no stylesheet, which mails and PNG renderers require.
 */
export function createPaint(colors: ChartColors): Paint {
  if (colors === 'variables') return (kind, color) => ` class="${className(kind, color)}"`;
  const palette = PALETTES[colors];
  return (kind, color) => (kind === 'fill' ? ` fill="${palette[color]}"` : ` fill="none" stroke="${palette[color]}"`);
}

function className(kind: 'fill' | 'stroke', color: Color): string {
  return `ac-${kind === 'fill' ? '' : 'line-'}${color}`;
}

const NAMES = Object.keys(PALETTES.light) as Color[];

function variables(palette: Readonly<Record<Color, string>>): string {
  return NAMES.map((name) => `--chart-${name}:${palette[name]}`).join(';');
}

/**
 * The stylesheet of charts with variables. A page that contains charts drawn with `standalone: false` includes it; a
 * standalone chart contains exactly this text in its `<style>`, so that one hash allows both in a content security
 * policy. A page can set the variables on an element around the chart after this text to use other colors.
 */
export const CHART_STYLE = [
  `.almanac-chart{${variables(PALETTES.light)}}`,
  `@media (prefers-color-scheme:dark){.almanac-chart{${variables(PALETTES.dark)}}}`,
  ...NAMES.map((name) => `.${className('fill', name)}{fill:var(--chart-${name})}`),
  ...NAMES.map((name) => `.${className('stroke', name)}{fill:none;stroke:var(--chart-${name})}`),
].join('\n');
