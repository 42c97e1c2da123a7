import uPlot from 'uplot';
import { axisFormat } from '../../../src/charts/format-number.ts';
import type { Positions } from '../time-ticks.ts';
import { type FanColors, withAlpha } from './colors.ts';
import { bandsOf, type Columns, type FanData, medianOf, type Window } from './fan-data.ts';

/** What the reader has chosen to see. */
export interface Shown {
  readonly windows: boolean;
  readonly log: boolean;
  readonly members: readonly boolean[];
}

export interface FanOptions {
  readonly data: FanData;
  readonly columns: Columns;
  readonly positions: Positions;
  readonly colors: FanColors;
  readonly shown: Shown;
  readonly size: { readonly width: number; readonly height: number };
  readonly range: Window;
  /** Called with the row under the cursor. */
  readonly onCursor: (row: number | null) => void;
  readonly onRange: (range: Window) => void;
}

/** The lines of models differ by their dashes as well as by their colors. */
const DASHES = [
  [6, 3],
  [2, 3],
  [10, 3, 2, 3],
  [12, 4],
  [4, 2, 1, 2],
  [1, 2],
];

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Draws the fan chart. */
export function drawFan(place: HTMLElement, options: FanOptions): uPlot {
  const { positions, colors, shown, size, range, onCursor, onRange } = options;
  const series = seriesOf(options);
  const axis = { stroke: colors.soft, font: FONT, ticks: { stroke: colors.axis, width: 1, size: 5 } };
  const ticksOf = (u: uPlot, min: number, max: number) => positions.ticks(min, max, u.bbox.width / devicePixelRatio);
  let isReady = false;
  const chart = new uPlot(
    {
      ...size,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, uni: 10 }, points: { size: 7, fill: colors.back } },
      scales: {
        x: { time: false, range: (_u, min, max) => [min, max] },
        y: { distr: shown.log ? 3 : 1, ...(!shown.log && { range: { min: { pad: 0.08 }, max: { pad: 0.08 } } }) },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 46,
          splits: (u, _axis, min, max) => ticksOf(u, min, max).map(({ at }) => at),
          values: (u, splits) => {
            const ticks = ticksOf(u, u.scales.x?.min ?? 0, u.scales.x?.max ?? 0);
            return splits.map((_, i) => [ticks[i]?.label, ticks[i]?.context].filter(Boolean).join('\n'));
          },
        },
        {
          ...axis,
          grid: { stroke: colors.grid, width: 1 },
          ticks: { show: false },
          size: (_u, values) => 14 + 7.2 * Math.max(3, ...(values ?? []).map((value) => String(value ?? '').length)),
          values: (_u, splits) => {
            const numbers = splits.filter((value) => value !== null);
            const step = Math.abs((numbers[1] ?? 1) - (numbers[0] ?? 0)) || 1;
            const format = axisFormat(step, Math.max(...numbers.map(Math.abs)));
            return splits.map((value) => (value === null ? null : format(value)));
          },
        },
      ],
      series: series.map(({ line }) => line),
      bands: bandsAt(series, options),
      hooks: {
        drawAxes: [(u) => drawWindows(u, options)],
        setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
        setScale: [(u, key) => key === 'x' && isReady && onRange([u.scales.x?.min ?? 0, u.scales.x?.max ?? 0])],
      },
    },
    [positions.x, ...series.slice(1).map(({ values }) => values)] as uPlot.AlignedData,
    place,
  );
  // The chart first shows everything, which is not a choice of the reader.
  chart.setScale('x', { min: range[0], max: range[1] });
  isReady = true;
  return chart;
  function bandsAt(all: readonly Line[], { data }: FanOptions): uPlot.Band[] {
    const at = (role: string) => all.findIndex((one) => one.role === role);
    return bandsOf(data.levels).map(({ low, high }) => ({
      series: [at(`q${high}`), at(`q${low}`)],
      fill: withAlpha(colors.fan, 0.24),
    }));
  }
}

interface Line {
  readonly role: string;
  readonly line: uPlot.Series;
  readonly values: readonly (number | null)[];
}

/** Returns the lines of the chart. The first one is the axis. */
function seriesOf({ data, columns, colors, shown }: FanOptions): Line[] {
  const median = medianOf(data.levels);
  const noPoints = { show: false };
  const replayed = new Set(data.outcome.filter((one) => one.replayed).map(({ step }) => columns.past + step - 1));
  const rowsOf = (isReplayed: boolean) =>
    pointsOf(
      columns.outcome.map((value, row) => (row < columns.past || replayed.has(row) !== isReplayed ? null : value)),
    );
  return [
    { role: 'x', line: {}, values: [] },
    {
      role: 'history',
      line: { stroke: colors.history, width: 1.75, points: noPoints },
      values: columns.history,
    },
    ...columns.quantiles.map((values, index) => ({
      role: `q${index}`,
      line: {
        stroke: index === median ? colors.median : withAlpha(colors.fan, 0.55),
        width: index === median ? 2.25 : 1,
        points: noPoints,
      },
      values,
    })),
    ...columns.members.map((values, index) => ({
      role: 'member',
      line: {
        show: shown.members[index] === true,
        stroke: colors.models[index % colors.models.length] ?? colors.ink,
        width: 1.75,
        dash: DASHES[index % DASHES.length] ?? [],
        points: noPoints,
      },
      values,
    })),
    {
      role: 'outcome',
      line: {
        stroke: colors.outcome,
        width: 2.25,
        points: { show: true, size: 6, fill: colors.outcome, filter: () => rowsOf(false) },
      },
      values: columns.outcome,
    },
    // Values that were known when the forecast was made are hollow, as in the picture.
    {
      role: 'known',
      line: {
        stroke: colors.outcome,
        paths: () => null,
        points: {
          show: true,
          size: 8,
          width: 1.75,
          stroke: colors.outcome,
          fill: colors.back,
          filter: () => rowsOf(true),
        },
      },
      values: columns.outcome,
    },
  ];
}

/** Returns the rows that get a dot: those with an actual value, unless there are too many to tell apart. */
function pointsOf(values: readonly (number | null)[]): number[] | null {
  const rows = values.flatMap((value, row) => (value === null ? [] : [row]));
  return rows.length > 60 ? null : rows;
}

const FOLD_HEIGHT = 6;

/** Draws the part that is forecast and, if chosen, the folds and the audit window at the time axis. */
function drawWindows(u: uPlot, { data, columns, positions, colors, shown }: FanOptions): void {
  const { ctx, bbox } = u;
  const scale = devicePixelRatio;
  const right = bbox.left + bbox.width;
  const clamp = (x: number): number => Math.max(bbox.left, Math.min(right, x));
  const at = (x: number): number => clamp(u.valToPos(x, 'x', true));
  const timeAt = (time: number): number => {
    const row = columns.times.findIndex((one) => one >= time);
    return at(positions.x[row < 0 ? columns.times.length - 1 : row] ?? 0);
  };
  const label = (text: string, x: number, y: number, color: string): void => {
    ctx.fillStyle = color;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    ctx.font = FONT.replace('12px', `${12 * scale}px`);
    if (x + ctx.measureText(text).width < right) ctx.fillText(text, x + 5 * scale, y + 4 * scale);
  };
  ctx.save();
  const first = positions.x[Math.max(0, columns.past - 1)] ?? 0;
  const start = at(first);
  if (start < right) {
    ctx.fillStyle = colors.shade;
    ctx.fillRect(start, bbox.top, right - start, bbox.height);
    label('Forecast', start, bbox.top, colors.soft);
  }
  if (shown.windows) {
    if (data.audit !== null) {
      const [from, to] = [timeAt(data.audit[0]), timeAt(data.audit[1])];
      if (to > from) {
        ctx.fillStyle = withAlpha(colors.outcome, 0.1);
        ctx.fillRect(from, bbox.top, to - from, bbox.height);
        label('Audit', from, bbox.top + 16 * scale, colors.soft);
      }
    }
    let isNamed = false;
    for (const [index, [begin, end]] of data.folds.entries()) {
      const [from, to] = [timeAt(begin), timeAt(end)];
      if (to <= from) continue;
      // Folds may overlap, so each has a row of its own.
      const y = bbox.top + bbox.height - (data.folds.length - index) * (FOLD_HEIGHT + 2) * scale;
      ctx.fillStyle = withAlpha(colors.axis, 0.75);
      ctx.fillRect(from, y, to - from, FOLD_HEIGHT * scale);
      if (!isNamed) label('Folds', from, y - 20 * scale, colors.soft);
      isNamed = true;
    }
  }
  ctx.restore();
}
