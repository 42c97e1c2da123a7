import type { Model, QuantileSupport } from '../model.ts';
import { arima } from './arima/arima.ts';
import { ets } from './ets/ets.ts';
import { intermittent } from './intermittent/intermittent.ts';
import { mstl } from './mstl/mstl.ts';
import { createProphet } from './prophet/prophet.ts';
import type { ProphetRuntime } from './prophet/runtime.ts';
import { seasonalNaive } from './seasonal-naive.ts';
import { theta } from './theta/theta.ts';

/** Describes a model, whether or not it can run here. */
export interface ModelDescription {
  readonly id: string;
  readonly name: string;
  /** The weight of the model if neither the request, nor the folds, nor a prior determine it. */
  readonly defaultWeight: number;
  readonly quantileSupport: QuantileSupport;
  /**
   * Whether a fit reuses results of an earlier fit to fewer periods of the same series; such fits must run in order.
   */
  readonly reusesEarlierFits?: true;
  /** Whether the model was trained on other series and is not fitted to the series that it forecasts. */
  readonly isPretrained?: true;
  /**
   * Whether the pool uses the spread of the model beside that of pretrained models. The spreads of other fitted models
   * are used only in pools without a pretrained one.
   */
  readonly isSpreadPooled?: true;
}

const REQUESTED: QuantileSupport = { type: 'requested' };

/** Every model, in the order in which models are listed, whether or not it can run here. */
export const MODEL_CATALOG: readonly ModelDescription[] = [
  { id: 'prophet', name: 'Prophet', defaultWeight: 0.2, quantileSupport: REQUESTED, reusesEarlierFits: true },
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
  {
    id: 'intermittent',
    name: 'Intermittent demand',
    defaultWeight: 0,
    quantileSupport: REQUESTED,
    isSpreadPooled: true,
  },
  { id: 'mstl', name: 'Multiple seasonality', defaultWeight: 0, quantileSupport: REQUESTED, isSpreadPooled: true },
];

/** Ids of the models in the default ensemble. */
export const DEFAULT_MODELS: readonly string[] = MODEL_CATALOG.filter(({ defaultWeight }) => defaultWeight > 0).map(
  ({ id }) => id,
);

/** Ids of the models of the fast mode: they need no folds to be combined well, and fitting them takes little time. */
export const FAST_MODELS: readonly string[] = ['toto', 'theta', 'seasonal_naive'];

/**
 * Runtimes of models. The engine does not load them, because it neither reads files nor holds threads. A model without
 * its runtime is left out.
 */
export interface ModelRuntimes {
  readonly prophet?: ProphetRuntime | undefined;
}

/** Creates the models that can run, by id, in the order of the catalog. */
export function createModels(runtimes: ModelRuntimes): ReadonlyMap<string, Model> {
  const built = [
    ...(runtimes.prophet === undefined ? [] : [createProphet(runtimes.prophet)]),
    ets,
    theta,
    arima,
    seasonalNaive,
    intermittent,
    mstl,
  ];
  return new Map(built.map((model) => [model.id, model]));
}
