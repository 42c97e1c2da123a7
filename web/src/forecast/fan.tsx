import { computed, effect, signal } from '@preact/signals';
import { render } from 'preact';
import type uPlot from 'uplot';
import { ApiError, callApi } from '../api.ts';
import { addCursor, type ChartCursor } from '../chart-cursor.ts';
import { positionsOf } from '../time-ticks.ts';
import { readColors } from './colors.ts';
import { Controls } from './controls.tsx';
import { drawFan } from './draw-fan.ts';
import { type FanData, toColumns, type Window } from './fan-data.ts';
import { readRange, writeRange } from './range.ts';
import { type Readings, readerOf, withLegend } from './readout.ts';

const WIDE_HEIGHT = 480;
const NARROW_HEIGHT = 380;
const MAX_ROWS = 50_000;

interface OlderRows {
  readonly rows: readonly { readonly timestamp: string; readonly value: number | null }[];
}

/** Replaces the picture of the fan by a chart that can be zoomed and read. The picture stays in the page for printing. */
export function showFan(figure: HTMLElement, page: FanData): void {
  const picture = figure.querySelector<HTMLElement>('.chart');
  const data = signal(page);
  const columns = computed(() => toColumns(data.value));
  const positions = computed(() => positionsOf(columns.value.times));
  const reader = computed(() => readerOf(data.value));
  const windows = signal(true);
  const log = signal(false);
  const members = signal<readonly boolean[]>(page.members.map(() => false));
  const row = signal<number | null>(null);
  const range = signal<Window>(readRange(data.value, positions.value.x, columns.value));
  const message = signal<string | null>(null);
  const scheme = signal(0);

  const place = document.createElement('div');
  place.className = 'almanac-chart live-fan';
  const controls = document.createElement('div');
  const readout = document.createElement('div');
  // The colors of its signs are those of charts.
  readout.className = 'almanac-chart';
  figure.prepend(controls, place, readout);
  if (picture !== null) picture.classList.add('replaced');
  place.setAttribute('role', 'group');
  place.setAttribute('aria-label', 'Chart of the forecast. The arrow keys move a cursor over its values.');
  place.setAttribute('aria-describedby', 'fan-words');

  let chart: uPlot | undefined;
  let cursor: ChartCursor | undefined;
  const sizeOf = () => ({
    width: Math.max(240, place.clientWidth),
    height: place.clientWidth < 560 ? NARROW_HEIGHT : WIDE_HEIGHT,
  });
  effect(() => {
    void scheme.value;
    const shown = { windows: windows.value, log: log.value, members: members.value };
    chart?.destroy();
    chart = drawFan(place, {
      data: data.value,
      columns: columns.value,
      positions: positions.value,
      colors: readColors(place),
      shown,
      size: sizeOf(),
      range: range.peek(),
      onCursor: (next) => {
        cursor?.hover(next);
        row.value = next;
      },
      onRange: (next) => {
        range.value = next;
      },
    });
  });
  effect(() => writeRange(data.value, positions.value.x, columns.value, range.value));

  new ResizeObserver(() => {
    const size = sizeOf();
    if (chart && (chart.width !== size.width || chart.height !== size.height)) chart.setSize(size);
  }).observe(place);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    scheme.value += 1;
  });

  const setRange = ([min, max]: Window) => chart?.setScale('x', { min, max });
  cursor = addCursor(place, {
    count: () => columns.value.times.length,
    onMove(index) {
      row.value = index;
      const x = index === null ? undefined : positions.value.x[index];
      if (chart === undefined || index === null || x === undefined)
        return void chart?.setCursor({ left: -10, top: -10 });
      const [min, max] = range.value;
      // Half of the width beyond the edge, so that the next steps need not move the chart again.
      if (x < min || x > max) setRange([x - (max - min) / 2, x + (max - min) / 2]);
      chart.setCursor({ left: chart.valToPos(x, 'x'), top: 10 });
    },
    describe(index) {
      const { when, values } = reader.value(columns.value, index, members.value);
      return `${when}: ${values.map(({ name, value }) => `${name} ${value}`).join(', ')}`;
    },
  });

  async function loadAll(): Promise<void> {
    const { id, truncated } = data.value;
    if (!truncated) return;
    message.value = 'The older rows are being read.';
    try {
      const { rows } = await callApi<OlderRows>(
        `/v1/ensemble-forecasts/${encodeURIComponent(id)}/history?limit=${MAX_ROWS}`,
      );
      data.value = {
        ...data.value,
        truncated: false,
        history: {
          times: rows.map(({ timestamp }) => Date.parse(timestamp) / 1_000),
          values: rows.map(({ value }) => value),
        },
      };
      message.value = null;
    } catch (error) {
      message.value =
        error instanceof ApiError
          ? `The older rows could not be read. ${error.message}`
          : 'The older rows could not be read.';
    }
  }

  render(
    <Controls
      data={data}
      columns={columns}
      positions={positions}
      windows={windows}
      log={log}
      members={members}
      message={message}
      setRange={setRange}
      loadAll={loadAll}
    />,
    controls,
  );
  const last = computed(() => row.value ?? columns.value.times.length - 1);
  const read = (): Readings => {
    const readings = reader.value(columns.value, last.value, members.value);
    return { ...readings, values: withLegend(readings, data.value) };
  };
  render(<Readout read={read} />, readout);
}

/** Shows the values under the cursor, or those of the last step. Screen readers get them from the cursor. */
function Readout({ read }: { readonly read: () => Readings }) {
  const { when, values } = read();
  return (
    <dl class="readout">
      <div class="when">
        <dt>Period</dt>
        <dd>{when}</dd>
      </div>
      {values.map(({ name, value, mark }) => (
        <div key={name}>
          <dt>
            <span class={`mark ${mark}`} aria-hidden="true" />
            {name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
