import { horizontalAxis, legend, rule, yearTicks } from './axes.ts';
import { COLORS } from './palette.ts';
import type { PicturedRun } from './pictured-run.ts';
import { linear, picture, rectangle, text } from './svg.ts';

const FRAME = { left: 88, right: 780, top: 50, bottom: 288 };
const BAR = 18;

/**
 * Draws a line for each fold, for the audit and for the forecast itself, with the rows it is fitted on and the rows
 * that are scored or forecast.
 */
export function windowsPicture({ plan, audit, future }: PicturedRun): string {
  const { times } = plan.series;
  const span = [times[0] as number, future.times.at(-1) as number] as const;
  const x = linear(span, [FRAME.left, FRAME.right]);
  const step = (FRAME.bottom - FRAME.top) / (plan.folds.length + 2);
  // A row lasts until the next one begins.
  const endOf = (periods: number): number => x((times[periods] ?? future.times[0]) as number);
  const bars = [
    ...plan.folds.map((fold, f) => ({ name: `fold ${f + 1}`, ...fold, color: COLORS.scored })),
    { name: 'audit', ...audit, color: COLORS.audit },
  ];
  const past = bars.flatMap(({ name, training, length, horizon, color }, i) => {
    const middle = FRAME.top + (i + 0.5) * step;
    const [top, bottom] = [middle - BAR / 2, middle + BAR / 2];
    return [
      text([FRAME.left - 10, middle + 4], name, { 'text-anchor': 'end' }),
      rectangle([FRAME.left, top], [endOf(length), bottom], { fill: COLORS.training }),
      rectangle([endOf(length), top], [endOf(length + horizon), bottom], { fill: color }),
      text([FRAME.left + 6, middle + 4], `${training} rows`),
      text([(endOf(length) + endOf(length + horizon)) / 2, middle + 4], String(horizon), {
        'text-anchor': 'middle',
        fill: '#fff',
      }),
    ];
  });
  const middle = FRAME.bottom - step / 2;
  const [top, bottom] = [middle - BAR / 2, middle + BAR / 2];
  const now = endOf(times.length);
  return picture([800, 340], 'Which rows each fold and the audit are fitted on, and which they are scored on', [
    ...legend(
      [FRAME.left, 22],
      [
        { width: 100, name: 'fitted on', color: COLORS.training, outline: {} },
        { width: 205, name: 'scored, to choose weights', color: COLORS.scored, outline: {} },
        { width: 190, name: 'scored, chooses nothing', color: COLORS.audit, outline: {} },
        { width: 110, name: 'the forecast', color: '#fff', outline: { stroke: '#222', 'stroke-dasharray': '3 2' } },
      ].map(({ width, name, color, outline }) => ({
        width,
        name,
        sample: ([at, y]) => rectangle([at, y - 6], [at + 22, y + 6], { fill: color, ...outline }),
      })),
    ),
    ...[audit.length, times.length].map((periods) =>
      rule([endOf(periods), FRAME.top - 6], [endOf(periods), FRAME.bottom]),
    ),
    ...past,
    text([FRAME.left - 10, middle + 4], 'forecast', { 'text-anchor': 'end' }),
    rectangle([FRAME.left, top], [now, bottom], { fill: COLORS.training }),
    rectangle([now, top], [x(span[1]), bottom], { fill: '#fff', stroke: '#222', 'stroke-dasharray': '3 2' }),
    text([FRAME.left + 6, middle + 4], `${plan.rows.count} rows`),
    text([(now + x(span[1])) / 2, middle + 4], String(future.times.length), { 'text-anchor': 'middle' }),
    ...horizontalAxis(FRAME, yearTicks(span, x, 2), 'CO2 at Mauna Loa by month'),
  ]);
}
