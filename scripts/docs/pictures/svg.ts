export type Point = readonly [x: number, y: number];
type Attributes = Readonly<Record<string, string | number>>;

/** Rounds to half pixels, because the last digits of a forecast may differ between machines, but pictures must not. */
export function toPixels(value: number): string {
  return String(Math.round(2 * value) / 2);
}

/** Returns a function that maps one range of numbers to another, usually to pixels. */
export function linear([from, to]: Point, [start, end]: Point): (value: number) => number {
  return (value) => start + ((value - from) / (to - from)) * (end - start);
}

export function line(points: readonly Point[], attributes: Attributes): string {
  return element('polyline', { fill: 'none', 'stroke-linejoin': 'round', ...attributes, points: coordinates(points) });
}

/** Draws the area between two lines. */
export function band(lower: readonly Point[], upper: readonly Point[], attributes: Attributes): string {
  return element('polygon', { ...attributes, points: coordinates([...lower, ...upper.toReversed()]) });
}

export function rectangle([left, top]: Point, [right, bottom]: Point, attributes: Attributes): string {
  const size = { width: toPixels(right - left), height: toPixels(bottom - top) };
  return element('rect', { x: toPixels(left), y: toPixels(top), ...size, ...attributes });
}

export function dot([x, y]: Point, attributes: Attributes): string {
  return element('circle', { cx: toPixels(x), cy: toPixels(y), ...attributes });
}

export function text([x, y]: Point, content: string, attributes: Attributes = {}): string {
  return element('text', { x: toPixels(x), y: toPixels(y), ...attributes }, content);
}

/** Draws a whole picture on a white background, so that it is also readable on a dark page. */
export function picture([width, height]: Point, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#222">
<title>${escapeMarkup(title)}</title>
<!-- Drawn by \`npm run docs\`; do not edit. -->
${rectangle([0, 0], [width, height], { fill: '#fff' })}
${parts.join('\n')}
</svg>
`;
}

function coordinates(points: readonly Point[]): string {
  return points.map(([x, y]) => `${toPixels(x)},${toPixels(y)}`).join(' ');
}

function element(name: string, attributes: Attributes, content?: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return content === undefined
    ? `<${name}${list.join('')}/>`
    : `<${name}${list.join('')}>${escapeMarkup(content)}</${name}>`;
}

function escapeMarkup(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
