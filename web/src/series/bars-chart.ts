import {
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  createChart,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { countDecimals, seriesFormat } from '../../../src/charts/series-format.ts';
import { readColors } from './colors.ts';
import type { ChartEvents, LiveChart, Rows, SeriesData, Span } from './page.ts';

/** The smallest width of a bar in pixels: 100,000 bars fit on a phone. */
const MIN_BAR = 0.003;
/** The room before the first bar in pixels: half of a label, which the library would cut. */
const LABEL_ROOM = 18;

/** Draws candles. Rising ones are hollow and falling ones are filled, so that they differ without colors. */
export function createBarsChart(
  place: HTMLElement,
  data: SeriesData,
  first: Rows,
  formatTime: (time: number) => string,
  { onSpan, onHover }: ChartEvents,
): LiveChart {
  const close = first.columns.close ?? [];
  const precision = countDecimals(close);
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const chart = createChart(place, {
    autoSize: true,
    width: place.clientWidth,
    height: place.clientHeight,
    layout: { attributionLogo: false, fontFamily: getComputedStyle(place).fontFamily, fontSize: 12 },
    localization: {
      timeFormatter: (time: unknown) => formatTime(Number(time) * 1000),
      priceFormatter: seriesFormat(close),
    },
    rightPriceScale: { borderVisible: false, mode: modeOf(data.isLog) },
    timeScale: {
      borderVisible: false,
      timeVisible: data.isIntraday,
      secondsVisible: false,
      minBarSpacing: MIN_BAR,
      rightOffset: 0,
      fixRightEdge: true,
      // Bars that share a pixel are drawn as one, so that a long history moves as smoothly as a short one.
      enableConflation: true,
      precomputeConflationOnInit: true,
    },
    kineticScroll: { touch: !isReduced, mouse: false },
  });
  const series = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: 'price', precision, minMove: 10 ** -precision },
  });
  const timeScale = chart.timeScale();
  let rows = first;

  const recolor = (): void => {
    const colors = readColors(place);
    chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: colors.back }, textColor: colors.soft },
      grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
      crosshair: {
        vertLine: { color: colors.axis, labelBackgroundColor: colors.ink },
        horzLine: { color: colors.axis, labelBackgroundColor: colors.ink },
      },
    });
    series.applyOptions({
      upColor: colors.back,
      borderUpColor: colors.rising,
      wickUpColor: colors.rising,
      downColor: colors.falling,
      borderDownColor: colors.falling,
      wickDownColor: colors.falling,
      priceLineColor: colors.line,
    });
  };
  /** Returns the share of the width that is before the first bar of a span. */
  const room = (): number => Math.min(0.25, LABEL_ROOM / (timeScale.width() || place.clientWidth || 1));
  const span = (): Span => {
    const range = timeScale.getVisibleLogicalRange();
    if (range === null) return { from: 0, to: rows.timestamps.length - 1 };
    return { from: range.from + (range.to - range.from) * room(), to: range.to };
  };
  const setSpan = ({ from, to }: Span): void =>
    timeScale.setVisibleLogicalRange({ from: to - (to - from) / (1 - room()), to });

  recolor();
  series.setData(toCandles(rows));
  timeScale.subscribeVisibleLogicalRangeChange(onSpan);
  chart.subscribeCrosshairMove(({ logical, point }) => onHover(point === undefined ? null : (logical ?? null)));
  return {
    showCursor(row) {
      const time = row === null ? undefined : rows.timestamps[row];
      if (row === null || time === undefined) return chart.clearCrosshairPosition();
      const { from, to } = span();
      // Half of the width beyond the edge, so that the next steps need not move the chart again.
      const by = row < from ? row - from - (to - from) / 2 : row > to ? row - to + (to - from) / 2 : 0;
      if (by !== 0) setSpan({ from: from + by, to: to + by });
      chart.setCrosshairPosition(rows.columns.close?.[row] ?? 0, toTime(time), series);
    },
    span,
    setSpan,
    setLog: (isLog) => chart.priceScale('right').applyOptions({ mode: modeOf(isLog) }),
    setRows(next, added) {
      const { from, to } = span();
      rows = next;
      series.setData(toCandles(rows));
      setSpan({ from: from + added, to: to + added });
    },
    recolor,
  };
}

function modeOf(isLog: boolean): PriceScaleMode {
  return isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
}

function toTime(time: number): UTCTimestamp {
  return (time / 1000) as UTCTimestamp;
}

function toCandles({ timestamps, columns: { open = [], high = [], low = [], close = [] } }: Rows): CandlestickData[] {
  return timestamps.map((time, i) => ({
    time: toTime(time),
    open: open[i] ?? 0,
    high: high[i] ?? 0,
    low: low[i] ?? 0,
    close: close[i] ?? 0,
  }));
}
