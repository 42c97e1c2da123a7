import { render } from 'preact';
import { describeSeriesChart } from '../../../src/charts/describe-series-chart.ts';
import { addCursor, type ChartCursor } from '../chart-cursor.ts';
import { Problem } from '../states.tsx';
import { rangeParams, spanOf, writeChoices } from './address.ts';
import { addControls, addWheel, pointerRelease } from './controls.ts';
import { joinRows, loadRows, OlderBars } from './load-rows.ts';
import type { ChartEvents, LiveChart, Rows, SeriesData, Span } from './page.ts';
import { rowFormat, timeFormat } from './readout.ts';
import { showTable } from './table.ts';

/** The elements that the server rendered. */
export interface Places {
  /** Where the chart is drawn. */
  readonly live: HTMLElement;
  /** The chart that the server drew. */
  readonly still: HTMLElement;
  readonly words: HTMLElement;
  readonly tools: HTMLElement;
}

/** Older bars are read before the first one comes into view. */
const MARGIN_ROWS = 40;
/** Beyond this number, older bars are not added: the reader can choose a range instead. */
const MAX_ROWS = 300_000;
/** Older bars are added to longer histories only between drags. */
const MAX_ROWS_IN_DRAG = 5_000;
const SETTLE_MS = 250;

/** Replaces the drawing of the server by a chart that can be zoomed, and keeps the address, words and table with it. */
export class LiveSeries {
  readonly #data: SeriesData;
  readonly #places: Places;
  readonly #older: OlderBars;
  readonly #readout = document.createElement('p');
  readonly #problem = document.createElement('div');
  #rows: Rows = { timestamps: [], columns: {} };
  #chart: LiveChart | null = null;
  #cursor: ChartCursor | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the chart shows before the reader moves it; null after that. */
  #home: Span | null = null;

  constructor(data: SeriesData, places: Places) {
    this.#data = data;
    this.#places = places;
    this.#older = new OlderBars(data);
    this.#readout.className = 'readout';
    places.live.before(this.#readout, this.#problem);
  }

  /** Reads the rows and draws the chart. If that fails, the drawing of the server stays, with a button to try again. */
  async start(): Promise<void> {
    try {
      this.#rows = await loadRows(this.#data);
      if (this.#rows.timestamps.length === 0) return;
      await this.#draw();
      render(null, this.#problem);
    } catch (error) {
      this.#places.live.hidden = true;
      this.#places.still.hidden = false;
      this.#showProblem(error, () => this.start());
    }
  }

  async #draw(): Promise<void> {
    const { live, still, tools } = this.#places;
    const create = await this.#loadLibrary();
    live.hidden = false;
    still.hidden = true;
    // The drawing has nothing to announce; the cursor announces the rows.
    const canvas = document.createElement('div');
    canvas.className = 'canvas';
    canvas.setAttribute('aria-hidden', 'true');
    live.replaceChildren(canvas);
    const describe = rowFormat(this.#data, () => this.#rows);
    const last = () => this.#rows.timestamps.length - 1;
    const showRow = (row: number | null) => {
      this.#readout.textContent = describe(Math.round(row ?? last()));
    };
    const onHover = (row: number | null) => {
      this.#cursor?.hover(row);
      showRow(row);
    };
    const chart = create(canvas, { onSpan: () => this.#onSpan(), onHover });
    chart.setSpan(spanOf(this.#data, this.#rows));
    live.setAttribute('role', 'application');
    live.setAttribute('aria-roledescription', 'chart');
    live.setAttribute(
      'aria-label',
      `Chart of ${this.#data.title}. The arrow keys move over the rows, plus and minus zoom.`,
    );
    live.setAttribute('aria-describedby', 'chart-words');
    this.#cursor = addCursor(live, {
      count: () => this.#rows.timestamps.length,
      onMove: (row) => {
        chart.showCursor(row);
        showRow(row);
        if (row === 0) void this.#addOlder();
      },
      describe,
    });
    // Before the first row is room as long as older ones can be read: that reads them.
    const first = () => (this.#older.hasMore ? Number.NEGATIVE_INFINITY : 0);
    addControls(tools, live, chart, () => ({ first: first(), last: last(), at: this.#cursor?.index ?? null }));
    if (this.#data.kind === 'line') addWheel(live, chart, () => ({ first: 0, last: last() }));
    this.#followLinks(chart);
    showRow(null);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.recolor());
    // The library applies the first span when it draws, and reports it like one that the reader chose.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    this.#home = chart.span();
    this.#chart = chart;
    const how = document.getElementById('chart-how');
    if (how) how.hidden = false;
    live.dataset.ready = 'true';
  }

  async #loadLibrary(): Promise<(place: HTMLElement, events: ChartEvents) => LiveChart> {
    if (this.#data.kind === 'bars') {
      const { createBarsChart } = await import('./bars-chart.ts');
      const credit = document.getElementById('chart-credit');
      if (credit) credit.hidden = false;
      return (place, events) => createBarsChart(place, this.#data, this.#rows, timeFormat(this.#data), events);
    }
    const { createLineChart } = await import('./line-chart.ts');
    return (place, events) => createLineChart(place, this.#data, this.#rows, events);
  }

  #onSpan(): void {
    const chart = this.#chart;
    if (chart === null) return;
    const { from, to } = chart.span();
    if (this.#home !== null && Math.abs(from - this.#home.from) + Math.abs(to - this.#home.to) < 1) return;
    this.#home = null;
    if (from < MARGIN_ROWS) void this.#addOlder();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(chart), SETTLE_MS);
  }

  /** Writes the range into the address, the sentence and the table, after it stopped changing. */
  #settle(chart: LiveChart): void {
    const span = chart.span();
    const params = rangeParams(this.#data, this.#rows, span);
    writeChoices(params);
    for (const link of document.querySelectorAll<HTMLElement>('[data-ranges] a')) {
      const isCurrent = params.to === '' && link.dataset.from === (params.from || 'all');
      if (isCurrent) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    const [from, to] = [Math.max(0, Math.ceil(span.from - 0.01)), Math.floor(span.to + 0.01) + 1];
    const { columns, timestamps } = this.#rows;
    const values = columns[this.#data.field] ?? columns.value ?? [];
    const shown = { units: this.#data.units, timestamps: timestamps.slice(from, to), values: values.slice(from, to) };
    const bars = this.#data.kind === 'bars' ? {} : undefined;
    this.#places.words.textContent = describeSeriesChart({ ...shown, bars }, timeFormat(this.#data));
    showTable(this.#data, this.#rows, span);
  }

  /** Makes the links for ranges and scales change the chart in place. */
  #followLinks(chart: LiveChart): void {
    const { tools } = this.#places;
    tools.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
      if (link === null || !isPlain) return;
      const { from, scale } = link.dataset;
      if (scale !== undefined) {
        event.preventDefault();
        chart.setLog(scale === 'log');
        writeChoices({ scale: scale === 'log' ? 'log' : '' });
        for (const other of tools.querySelectorAll('[data-scale]')) other.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'true');
      } else if (from !== undefined && this.#hasRange(from)) {
        event.preventDefault();
        const start = from === 'all' ? null : Date.parse(from);
        chart.setSpan(spanOf({ from: start, to: null }, this.#rows));
      }
    });
  }

  /** Whether the rows of a range are there. Otherwise its link loads them. */
  #hasRange(from: string): boolean {
    if (!this.#older.hasMore && this.#data.from === null) return true;
    return from !== 'all' && Date.parse(from) >= (this.#rows.timestamps[0] ?? 0);
  }

  async #addOlder(): Promise<void> {
    if (!this.#older.canLoad || this.#rows.timestamps.length >= MAX_ROWS) return;
    try {
      const older = await this.#older.load();
      // Adding to a long history takes many frames, which a reader that drags would see.
      if (this.#rows.timestamps.length > MAX_ROWS_IN_DRAG) await pointerRelease(this.#places.live);
      this.#rows = joinRows(older, this.#rows);
      const added = older.timestamps.length;
      this.#chart?.setRows(this.#rows, added);
      this.#cursor?.shift(added);
      render(null, this.#problem);
    } catch (error) {
      this.#showProblem(error, () => {
        this.#older.resume();
        void this.#addOlder();
      });
    }
  }

  #showProblem(error: unknown, retry: () => void): void {
    render(<Problem error={error} onRetry={retry} />, this.#problem);
  }
}
