import { ModelError, type QuantileSupport } from './model.ts';

/** Refuses what is no quantile, and what lies outside the range that a model was made for. Every forecaster calls it. */
export function checkQuantiles(quantiles: readonly number[], support: QuantileSupport = { type: 'requested' }): void {
  for (const quantile of quantiles) {
    if (!(quantile > 0 && quantile < 1)) {
      throw new ModelError('UNSUPPORTED_QUANTILE', `A quantile lies between 0 and 1, got ${quantile}.`);
    }
    if ('min' in support && (quantile < support.min || quantile > support.max)) {
      throw new ModelError(
        'UNSUPPORTED_QUANTILE',
        `The model gives quantiles from ${support.min} to ${support.max}, got ${quantile}.`,
      );
    }
  }
}
