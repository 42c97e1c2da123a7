import type { Model, QuantileSupport } from '../model.ts';
import { arima } from './arima/index.ts';
import { ets } from './ets/index.ts';
import { createProphet, type ProphetRuntime } from './prophet/index.ts';
import { seasonalNaive } from './seasonal-naive/index.ts';
import { theta } from './theta/index.ts';

export type { ProphetRuntime } from './prophet/index.ts';

/** What a caller may know of a model before it is built. */
export interface ModelDescription {
  readonly id: string;
  readonly name: string;
  /** Its share where nothing better is known. */
  readonly defaultWeight: number;
  readonly quantileSupport: QuantileSupport;
  /** Whether a fit to more of the same series takes over what an earlier one found out; then they run in turn. */
  readonly fitsInTurn?: true;
  /** Whether it was trained on other series before, and is not fitted to the one it forecasts. */
  readonly isPretrained?: true;
}

const REQUESTED: QuantileSupport = { type: 'requested' };

/** Every model there is, in the order in which they are listed, whether it can run here or not. */
export const MODEL_CATALOGUE: readonly ModelDescription[] = [
  { id: 'prophet', name: 'Prophet', defaultWeight: 0.2, quantileSupport: REQUESTED, fitsInTurn: true },
  {
    id: 'toto',
    name: 'Toto',
    defaultWeight: 0.2,
    quantileSupport: { min: 0.1, max: 0.9, interpolation_inside_range: true },
    isPretrained: true,
  },
  { id: 'ets', name: 'Exponential smoothing', defaultWeight: 0.2, quantileSupport: REQUESTED },
  { id: 'theta', name: 'Theta', defaultWeight: 0.2, quantileSupport: REQUESTED },
  { id: 'arima', name: 'ARIMA', defaultWeight: 0.2, quantileSupport: REQUESTED },
  { id: 'seasonal_naive', name: 'Seasonal naive', defaultWeight: 0, quantileSupport: REQUESTED },
];

/** The default ensemble. */
export const DEFAULT_MODELS: readonly string[] = MODEL_CATALOGUE.filter(({ defaultWeight }) => defaultWeight > 0).map(
  ({ id }) => id,
);

/** What some models need from outside: runtimes that read files or hold threads. A model without its own is left out. */
export interface ModelRuntimes {
  readonly prophet?: ProphetRuntime | undefined;
}

/** The models that can run, by id, in the order of the catalogue. */
export function createModels(runtimes: ModelRuntimes): ReadonlyMap<string, Model> {
  const built = [
    ...(runtimes.prophet === undefined ? [] : [createProphet(runtimes.prophet)]),
    ets,
    theta,
    arima,
    seasonalNaive,
  ];
  return new Map(built.map((model) => [model.id, model]));
}
