export { createBundledSeries } from './create-bundled-series.ts';
