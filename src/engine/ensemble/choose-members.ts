import type { Frequency } from '../../calendar/index.ts';
import { DEFAULT_MODELS, FAST_MODELS, MODEL_CATALOG } from '../models/catalog.ts';
import { countZeroShare, helpfulModels } from '../weighting/frequency-priors.ts';
import type { Mode } from './request.ts';

/** What the choice of the member models depends on. */
export interface ChosenFor {
  readonly frequency: Frequency;
  readonly values: ArrayLike<number>;
}

/** The member models of a forecast whose request names none. */
export interface ChosenMembers {
  /** In the order of the catalog. */
  readonly fitted: readonly string[];
  /** Members of the default ensemble that can run here but are not fitted. */
  readonly notFitted: readonly string[];
}

/**
 * Chooses which models are fitted to a series if the request names none: the pretrained ones, and those that lowered the
 * errors on past series of this frequency. Any other costs time and credits for nothing.
 * Without a pretrained model, each member of the default ensemble is fitted.
 *
 * @param available ids of the models that can run here
 */
export function chooseMembers(available: readonly string[], { frequency, values }: ChosenFor): ChosenMembers {
  const isRunnable = (id: string): boolean => available.includes(id);
  const pretrained = MODEL_CATALOG.filter(({ id, isPretrained }) => isPretrained && isRunnable(id));
  const helpful = helpfulModels({ frequency, zeroShare: countZeroShare(values) });
  const chosen = MODEL_CATALOG.filter(({ id, isPretrained }) => isPretrained || helpful.includes(id)).map(
    ({ id }) => id,
  );
  const fitted = keepAvailable(pretrained.length > 0 ? chosen : DEFAULT_MODELS, available);
  return { fitted, notFitted: DEFAULT_MODELS.filter((id) => isRunnable(id) && !fitted.includes(id)) };
}

/** Returns the models of a mode for all series: in full mode, the default ensemble. */
export function modelsOfMode(mode: Mode): readonly string[] {
  return mode === 'fast' ? FAST_MODELS : DEFAULT_MODELS;
}

/** Returns the models that can run here; all others that can if none of them can, because any forecast is better than none. */
export function keepAvailable(models: readonly string[], available: readonly string[]): readonly string[] {
  const kept = models.filter((id) => available.includes(id));
  return kept.length > 0 ? kept : available;
}
