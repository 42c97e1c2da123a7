import { rowsOf } from '../../../src/engine/ensemble/members.ts';
import { horizontalAxis, legend, roundTicks, rule, verticalAxis, yearTicks } from './axes.ts';
import { COLORS } from './palette.ts';
import { LEVELS, type PicturedRun } from './pictured-run.ts';
import { band, line, linear, type Point, picture, rectangle, text } from './svg.ts';

const FRAME = { left: 56, right: 780, top: 78, bottom: 418 };
const FIRST_SHOWN = Date.UTC(2017, 0);
const MEDIAN = LEVELS.indexOf(0.5);

/** Draws the forecast for the audit window with the actual values, then the forecast of the future. */
export function forecastPicture({ plan, members, audit, future }: PicturedRun): string {
  const { times, values } = plan.series;
  const span = [FIRST_SHOWN, future.times.at(-1) as number] as const;
  const x = linear(span, [FRAME.left, FRAME.right]);
  const shown = Array.from(times, (time, i): Point => [time, values[i] as number]).filter(
    ([time]) => time >= FIRST_SHOWN,
  );
  const drawn = [
    ...shown.map(([, value]) => value),
    ...[...audit.calibrated, ...future.rows].flatMap((row) => [...row]),
  ];
  const { ticks, range } = roundTicks(drawn, 5);
  const y = linear(range, [FRAME.bottom, FRAME.top]);
  const auditTimes = times.subarray(audit.length, audit.length + audit.horizon);
  const curve = (at: Float64Array, rows: readonly Float64Array[], level: number): Point[] =>
    rows.map((row, step) => [x(at[step] as number), y(row[LEVELS.indexOf(level)] as number)]);
  const fan = (at: Float64Array, rows: readonly Float64Array[], fill: string): string[] => [
    band(curve(at, rows, 0.1), curve(at, rows, 0.9), { fill, 'fill-opacity': 0.22 }),
    band(curve(at, rows, 0.25), curve(at, rows, 0.75), { fill, 'fill-opacity': 0.3 }),
    line(curve(at, rows, 0.5), { stroke: fill, 'stroke-width': 2 }),
  ];
  const medians = members.flatMap(({ id, validation, final }) =>
    [
      { at: auditTimes, rows: rowsOf(validation) ?? [] },
      { at: future.times, rows: rowsOf(final) ?? [] },
    ].map(({ at, rows }) => {
      const points = rows.map((row, step): Point => [x(at[step] as number), y(row[MEDIAN] as number)]);
      return line(points, { stroke: COLORS.members[id] as string, 'stroke-dasharray': '4 2' });
    }),
  );
  const lines = [
    { width: 132, name: 'what happened', color: COLORS.history, dash: {} },
    ...members.map(({ id }) => ({
      width: 76,
      name: id,
      color: COLORS.members[id] as string,
      dash: { 'stroke-dasharray': '4 2' },
    })),
  ];
  const fans = [
    { width: 180, name: 'ensemble, audit window', color: COLORS.audit },
    { width: 160, name: 'ensemble, forecast', color: COLORS.ensemble },
  ];
  const boundaries = [auditTimes[0], future.times[0]].map((time) => x(time as number));
  return picture([800, 470], 'A forecast: fan of the ensemble, medians of its members, and the audit window', [
    ...legend(
      [FRAME.left, 16],
      lines.map(({ width, name, color, dash }) => ({
        width,
        name,
        sample: ([at, top]) =>
          line(
            [
              [at, top],
              [at + 22, top],
            ],
            { stroke: color, 'stroke-width': 1.5, ...dash },
          ),
      })),
    ),
    ...legend(
      [FRAME.left, 38],
      fans.map(({ width, name, color }) => ({
        width,
        name,
        sample: ([at, top]) => rectangle([at, top - 6], [at + 22, top + 6], { fill: color, 'fill-opacity': 0.5 }),
      })),
    ),
    text([FRAME.left + 340, 42], '(median, 50% and 80% intervals)', { fill: '#666' }),
    ...verticalAxis(
      FRAME,
      ticks.map((ppm) => ({ at: y(ppm), label: String(ppm) })),
      'CO2, ppm',
    ),
    ...boundaries.map((at) => rule([at, FRAME.top], [at, FRAME.bottom])),
    ...fan(auditTimes, audit.calibrated, COLORS.audit),
    ...fan(future.times, future.rows, COLORS.ensemble),
    ...medians,
    line(
      shown.map(([time, value]) => [x(time), y(value)]),
      { stroke: COLORS.history, 'stroke-width': 1.5 },
    ),
    ...horizontalAxis(FRAME, yearTicks(span, x), 'first of the month'),
  ]);
}
