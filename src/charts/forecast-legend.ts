import type { ChartData } from './chart-data.ts';
import { bandOpacity } from './draw-fan.ts';
import { drawHollow } from './draw-outcome.ts';
import { formatPercent } from './format-number.ts';
import type { Frame } from './frame.ts';
import { PathWriter, px } from './path.ts';

type LegendItem = Parameters<typeof import('./frame.ts').drawLegend>[1][number];

/** More bands share one entry, because ten shades cannot be told apart. */
const MAX_BANDS = 3;

/** Returns the entries of what a chart contains. */
export function forecastLegend(frame: Frame, data: ChartData): LegendItem[] {
  const { paint } = frame;
  const line = (attributes: string) => (x: number, y: number) =>
    `<path d="${new PathWriter().moveTo(x, y).lineTo(x + 22, y)}"${attributes}/>`;
  const items: LegendItem[] = [];
  if (data.values.some(Number.isFinite)) {
    items.push({ label: 'History', sign: line(`${paint('stroke', 'history')} stroke-width="1.6"`) });
  }
  if (data.median !== null) {
    items.push({ label: 'Median', sign: line(`${paint('stroke', 'median')} stroke-width="2.2"`) });
  }
  items.push(...bandItems(frame, data));
  if (data.singles.length > 0) {
    const [low = 0, high = 0] = [data.singles[0]?.level, data.singles.at(-1)?.level];
    const label =
      low === high ? `${formatPercent(low)} quantile` : `Quantiles ${formatPercent(low)} to ${formatPercent(high)}`;
    items.push({ label, sign: line(`${paint('stroke', 'fan')} stroke-dasharray="4 3"`) });
  }
  const dot = (x: number, y: number) => new PathWriter().dot(x + 11, y);
  if (data.outcome.some(({ replayed }) => !replayed)) {
    const attributes = `${paint('stroke', 'outcome')} stroke-linecap="round"`;
    items.push({
      label: 'Actual',
      sign: (x, y) =>
        `${line(`${attributes} stroke-width="1.8"`)(x, y)}<path d="${dot(x, y)}"${attributes} stroke-width="7"/>`,
    });
  }
  if (data.outcome.some(({ replayed }) => replayed)) {
    items.push({
      label: 'Known when made',
      sign: (x, y) =>
        `${line(`${paint('stroke', 'outcome')} stroke-width="1.5" stroke-dasharray="3 3"`)(x, y)}${drawHollow(frame, dot(x, y), 7)}`,
    });
  }
  return items;
}

function bandItems(frame: Frame, { bands }: ChartData): LegendItem[] {
  const opacity = bandOpacity(bands.length);
  const box = (x: number, y: number, width: number, height: number): string =>
    `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="2"/>`;
  const group = (boxes: readonly string[]): string =>
    `<g${frame.paint('fill', 'fan')} fill-opacity="${opacity}">${boxes.join('')}</g>`;
  if (bands.length > MAX_BANDS) {
    const [widest, narrowest] = [bands[0], bands.at(-1)];
    return [
      {
        label: `Intervals ${formatPercent(narrowest?.share ?? 0)} to ${formatPercent(widest?.share ?? 0)}`,
        sign: (x, y) => {
          const inset = (i: number): number => (5 * i) / bands.length;
          return group(bands.map((_, i) => box(x, y - 6 + inset(i), 22, 12 - 2 * inset(i))));
        },
      },
    ];
  }
  // A narrow band lies over the wider ones, so its box is drawn as often.
  return bands.map(({ share }, i) => ({
    label: `${formatPercent(share)} interval`,
    sign: (x, y) => group(Array.from({ length: i + 1 }, () => box(x, y - 6, 22, 12))),
  }));
}
