export { type Metrics, metricsOf } from './metrics-of.ts';
export { type MetricsRow, metricsRow, SESSIONS_READ } from './metrics-row.ts';
