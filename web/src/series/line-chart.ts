import uPlot from 'uplot';
import { formatValue } from '../../../src/charts/format-number.ts';
import { positionsOf } from '../time-ticks.ts';
import { readColors } from './colors.ts';
import type { ChartEvents, LiveChart, Rows, SeriesData, Span } from './page.ts';

/** Draws a line. Dragging over it selects the part that is shown. */
export function createLineChart(
  place: HTMLElement,
  data: SeriesData,
  first: Rows,
  { onSpan, onHover }: ChartEvents,
): LiveChart {
  let rows = first;
  let isLog = data.isLog;
  let shown: Span = { from: 0, to: rows.timestamps.length - 1 };
  let isSilent = false;
  let positions = positionsOf(
    rows.timestamps.map((time) => time / 1000),
    false,
  );
  let plot = draw();

  function valuesOf(): (number | null)[] {
    const column = rows.columns[data.field] ?? rows.columns.value ?? [];
    // A value that has no place on the scale is missing.
    return column.map((value) => (Number.isFinite(value) && (!isLog || value > 0) ? value : null));
  }

  function columns(): uPlot.AlignedData {
    return [[...positions.x], valuesOf()];
  }

  function draw(): uPlot {
    const colors = readColors(place);
    const font = `12px ${getComputedStyle(place).fontFamily}`;
    const axis = {
      stroke: colors.soft,
      font,
      grid: { stroke: colors.grid, width: 1 },
      ticks: { stroke: colors.axis, width: 1 },
    };
    const ticksOf = (chart: uPlot, min: number, max: number) =>
      positions.ticks(min, max, chart.bbox.width / devicePixelRatio);
    const created = new uPlot(
      {
        width: place.clientWidth,
        height: place.clientHeight,
        legend: { show: false },
        padding: [12, 12, 0, 0],
        cursor: { drag: { x: true, y: false, setScale: true }, points: { size: 8, fill: colors.line } },
        scales: {
          x: { time: false, range: (_, min, max) => [min, max] },
          y: isLog ? { distr: 3 } : { range: rangeOf },
        },
        axes: [
          {
            ...axis,
            size: 46,
            splits: (chart, _, min, max) => ticksOf(chart, min, max).map(({ at }) => at),
            values: (chart, splits) => {
              const ticks = ticksOf(chart, chart.scales.x?.min ?? 0, chart.scales.x?.max ?? 0);
              return splits.map((_, i) => [ticks[i]?.label, ticks[i]?.context].filter(Boolean).join('\n'));
            },
          },
          {
            ...axis,
            size: sizeOfLabels,
            values: (_, splits) => splits.map((value) => (value === null ? '' : formatValue(value))),
          },
        ],
        series: [
          {},
          {
            stroke: colors.line,
            width: 1.8,
            points: { show: rows.timestamps.length < 60, size: 5, fill: colors.line },
          },
        ],
        hooks: {
          setCursor: [(chart) => isSilent || onHover(chart.cursor.idx ?? null)],
          setScale: [
            (chart, key) => {
              const { min, max } = chart.scales.x ?? {};
              if (key !== 'x' || min == null || max == null) return;
              shown = { from: rowAt(min * 1000), to: rowAt(max * 1000) };
              onSpan();
            },
          ],
        },
      },
      columns(),
      place,
    );
    setScale(created, shown);
    return created;
  }

  function redraw(): void {
    const before = shown;
    plot.destroy();
    shown = before;
    plot = draw();
  }

  /** Returns the time of a position between rows. */
  function timeAt(position: number): number {
    const last = rows.timestamps.length - 1;
    const row = Math.max(0, Math.min(last - 1, Math.floor(position)));
    const [from = 0, to = from] = [rows.timestamps[row], rows.timestamps[row + 1]];
    return from + (to - from) * (position - row);
  }

  function rowAt(time: number): number {
    const times = rows.timestamps;
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? 0) <= time) low = middle;
      else high = middle;
    }
    const [from = 0, to = 0] = [times[low], times[high]];
    return to > from ? low + (time - from) / (to - from) : low;
  }

  function setScale(chart: uPlot, { from, to }: Span): void {
    const [min, max] = [timeAt(from) / 1000, timeAt(to) / 1000];
    // One row has no width.
    chart.setScale('x', max > min ? { min, max } : { min: min - 43_200, max: min + 43_200 });
  }

  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: place.clientHeight })).observe(place);
  return {
    showCursor(row) {
      isSilent = true;
      if (row === null) plot.setCursor({ left: -10, top: -10 });
      else {
        const { from, to } = shown;
        const by = row < from ? row - from - (to - from) / 2 : row > to ? row - to + (to - from) / 2 : 0;
        const last = rows.timestamps.length - 1;
        const bounded = Math.max(-from, Math.min(last - to, by));
        if (by !== 0) setScale(plot, { from: from + bounded, to: to + bounded });
        const value = valuesOf()[row];
        plot.setCursor({
          left: plot.valToPos((rows.timestamps[row] ?? 0) / 1000, 'x'),
          top: value == null ? 0 : plot.valToPos(value, 'y'),
        });
      }
      isSilent = false;
    },
    span: () => shown,
    setSpan: (span) => setScale(plot, span),
    setLog(next) {
      isLog = next;
      redraw();
    },
    setRows(next, added) {
      const { from, to } = shown;
      rows = next;
      positions = positionsOf(
        rows.timestamps.map((time) => time / 1000),
        false,
      );
      plot.setData(columns(), false);
      setScale(plot, { from: from + added, to: to + added });
    },
    recolor: redraw,
  };
}

/** Leaves a little room above and below the line. */
function rangeOf(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [0, 1];
  const margin = max > min ? (max - min) * 0.06 : Math.abs(max) * 0.1 || 1;
  return [min >= 0 && min - margin < 0 ? 0 : min - margin, max + margin];
}

function sizeOfLabels(_: uPlot, values: string[] | null): number {
  return 18 + 7.2 * Math.max(3, ...(values ?? []).map((value) => value.length));
}
