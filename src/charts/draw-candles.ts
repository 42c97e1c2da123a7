import type { Frame } from './frame.ts';
import { PathWriter } from './path.ts';
import type { Plot } from './plot.ts';

interface Candles {
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
}

/** The share of the distance between two bars that the body of a candle takes. */
const BODY_SHARE = 0.68;
const MAX_BODY = 18;
/** A body whose open and close are equal is a line of this height. */
const MIN_BODY = 1;

/**
 * Draws bars as candles. Those that close at or above their open are hollow, the others are filled, so that they can be
 * told apart without seeing colors.
 */
export function drawCandles(frame: Frame, plot: Plot, times: ArrayLike<number>, bars: Candles): string {
  const half = bodyWidth(plot, times) / 2;
  const [rising, falling, wicks] = [
    new PathWriter(),
    new PathWriter(),
    { up: new PathWriter(), down: new PathWriter() },
  ];
  for (let i = 0; i < times.length; i++) {
    const [open, high, low, close] = [bars.open, bars.high, bars.low, bars.close].map((one) =>
      plot.y(one[i] ?? Number.NaN),
    );
    if (![open, high, low, close].every(Number.isFinite)) continue;
    const x = plot.time.x(times[i] ?? 0);
    const isUp = (close as number) <= (open as number);
    const top = Math.min(open as number, close as number);
    const bottom = Math.max(open as number, close as number, top + MIN_BODY);
    // The wick ends at the body, because a hollow body would show it.
    (isUp ? wicks.up : wicks.down)
      .moveTo(x, high as number)
      .lineTo(x, top)
      .moveTo(x, bottom)
      .lineTo(x, Math.max(bottom, low as number));
    (isUp ? rising : falling)
      .moveTo(x - half, top)
      .lineTo(x + half, top)
      .lineTo(x + half, bottom)
      .lineTo(x - half, bottom)
      .close();
  }
  const { paint } = frame;
  const draw = (path: PathWriter, attributes: string): string => {
    const d = path.toString();
    return d === '' ? '' : `<path d="${d}"${attributes}/>`;
  };
  return [
    draw(wicks.up, `${paint('stroke', 'fan')} stroke-width="1.2"`),
    draw(wicks.down, `${paint('stroke', 'outcome')} stroke-width="1.2"`),
    draw(rising, paint('fill', 'back')),
    draw(rising, `${paint('stroke', 'fan')} stroke-width="1.2"`),
    draw(falling, paint('fill', 'outcome')),
  ].join('');
}

function bodyWidth(plot: Plot, times: ArrayLike<number>): number {
  let distance = plot.time.right - plot.time.left;
  for (let i = 1; i < times.length; i++) {
    distance = Math.min(distance, plot.time.x(times[i] ?? 0) - plot.time.x(times[i - 1] ?? 0));
  }
  return Math.max(2, Math.min(MAX_BODY, distance * BODY_SHARE));
}
