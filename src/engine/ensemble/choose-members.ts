import type { Cadence } from '../../calendar/index.ts';
import { DEFAULT_MODELS, FAST_MODELS, MODEL_CATALOG } from '../models/catalog.ts';
import type { Mode } from './request.ts';

/** What the choice of the member models depends on. */
export interface ChosenFor {
  readonly frequency: Cadence['frequency'];
  /** The number of observed rows. */
  readonly rows: number;
  readonly values: ArrayLike<number>;
}

/** The member models of a forecast whose request names none. */
export interface ChosenMembers {
  /** In the order of the catalog. */
  readonly fitted: readonly string[];
  /** Members of the default ensemble that can run here but are not fitted. */
  readonly notFitted: readonly string[];
}

/** With more rows than this, a fit of ARIMA takes longer than those of all other members together. */
const MAX_ARIMA_ROWS = 400;

/**
 * Chooses which models are fitted to a series if the request names none. A member of the default ensemble that cannot
 * help on this series costs time and credits for nothing. One of the chosen models must support every quantile.
 *
 * @param available ids of the models that can run here
 */
export function chooseMembers(available: readonly string[], { rows }: ChosenFor): ChosenMembers {
  const canHelp = (id: string): boolean => id !== 'arima' || rows <= MAX_ARIMA_ROWS;
  const fitted = keepAvailable(
    MODEL_CATALOG.map(({ id }) => id).filter((id) => DEFAULT_MODELS.includes(id) && canHelp(id)),
    available,
  );
  return { fitted, notFitted: DEFAULT_MODELS.filter((id) => available.includes(id) && !fitted.includes(id)) };
}

/** Returns the models that a mode fits if all can run here and can help. */
export function modelsOfMode(mode: Mode): readonly string[] {
  return mode === 'fast' ? FAST_MODELS : DEFAULT_MODELS;
}

/** Returns the models that can run here; all others that can if none of them can, because any forecast is better than none. */
export function keepAvailable(models: readonly string[], available: readonly string[]): readonly string[] {
  const kept = models.filter((id) => available.includes(id));
  return kept.length > 0 ? kept : available;
}
