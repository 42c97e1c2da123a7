import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Positions } from '../time-ticks.ts';
import type { Columns, FanData, Window } from './fan-data.ts';
import { aheadRange, recentRange, wholeRange } from './range.ts';

interface ControlsProps {
  readonly data: ReadonlySignal<FanData>;
  readonly columns: ReadonlySignal<Columns>;
  readonly positions: ReadonlySignal<Positions>;
  readonly windows: Signal<boolean>;
  readonly log: Signal<boolean>;
  readonly members: Signal<readonly boolean[]>;
  readonly message: ReadonlySignal<string | null>;
  readonly setRange: (range: Window) => void;
  readonly loadAll: () => Promise<void>;
}

/** Lets the reader choose which part of the chart is shown, and which lines. */
export function Controls(props: ControlsProps) {
  const { data, columns, positions, windows, log, members, message, setRange, loadAll } = props;
  const { folds, audit, members: models, history, quantiles } = data.value;
  const isPositive = [history.values, ...quantiles].every((column) =>
    column.every((value) => value === null || value > 0),
  );
  const x = () => positions.value.x;
  return (
    <div class="fan-controls">
      <fieldset class="toolbar">
        <legend class="away">Range</legend>
        <button type="button" class="quiet small" onClick={() => setRange(aheadRange(x(), columns.value))}>
          Forecast
        </button>
        <button type="button" class="quiet small" onClick={() => setRange(recentRange(data.value, x(), columns.value))}>
          Recent
        </button>
        <button type="button" class="quiet small" onClick={() => void loadAll().then(() => setRange(wholeRange(x())))}>
          All rows
        </button>
      </fieldset>
      <fieldset class="toolbar">
        <legend class="away">Lines</legend>
        {(folds.length > 0 || audit !== null) && <Choice label="Folds and audit" choice={windows} />}
        {isPositive && <Choice label="Log scale" choice={log} />}
        {models.map(({ model, name }, index) => (
          <label class="check" key={model}>
            <input
              type="checkbox"
              checked={members.value[index] === true}
              onChange={({ currentTarget: { checked } }) => {
                members.value = members.value.map((one, at) => (at === index ? checked : one));
              }}
            />
            <span class={`swatch m${index}`} aria-hidden="true" />
            {name}
          </label>
        ))}
      </fieldset>
      <p class="hint" role="status">
        {message.value ?? ''}
      </p>
    </div>
  );
}

function Choice({ label, choice }: { readonly label: string; readonly choice: Signal<boolean> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={choice.value}
        onChange={({ currentTarget: { checked } }) => {
          choice.value = checked;
        }}
      />
      {label}
    </label>
  );
}
