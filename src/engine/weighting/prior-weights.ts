import { mostlyPretrained } from './methods.ts';
import type { Panel, Weights } from './panel.ts';

/**
 * Returns the weights that are used without any evidence from the series: three fifths for the pretrained member models
 * and the rest in equal parts for the fitted ones.
 *
 * @param panel may have no folds
 */
export function priorWeights(panel: Panel): Weights {
  return mostlyPretrained(panel);
}
