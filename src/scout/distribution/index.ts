export { type Distribution, type DistributionPart, distributionOf, type Reading } from './distribution.ts';
export type { Quantile } from './knots.ts';
export { type PastPrices, pastShareAbove } from './past-changes.ts';
