import { SaxesParser } from 'saxes';

export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Returns the elements of a document in their order. Throws if the document is not well-formed. */
export function readSvg(svg: string): SvgElement[] {
  const parser = new SaxesParser();
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  return elements;
}

/** Returns the points of a path as the writer of charts makes it: M, l, h and z. */
export function readPath(d: string): (readonly [number, number])[] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const [, command = '', list = ''] of d.matchAll(/([Mlhz])([^Mlhz]*)/g)) {
    const numbers = (list.match(/-?(\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    if (command === 'h') continue;
    for (let i = 0; i < numbers.length; i += 2) {
      const [dx = 0, dy = 0] = [numbers[i], numbers[i + 1]];
      [x, y] = command === 'M' ? [dx, dy] : [x + dx, y + dy];
      points.push([x, y]);
    }
  }
  return points;
}

/** Returns the elements that are filled or drawn with a color of the chart's variables. */
export function painted(elements: readonly SvgElement[], name: string): SvgElement[] {
  return elements.filter(({ attributes }) => attributes.class === `ac-${name}`);
}
