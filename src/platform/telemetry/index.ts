export { change, count, isMeasured, METRICS, observe } from './metrics.ts';
export type { QueueDepth, ScrapeSources } from './prometheus.ts';
export { currentRequestId, runInRequest, runOutsideRequest } from './request-context.ts';
export {
  type Attributes,
  beginTrace,
  currentSpan,
  errorType,
  isTraced,
  type OpenSpan,
  runInSpan,
  type SpanSpec,
  traced,
  untraced,
} from './spans.ts';
export { startTelemetry, type Telemetry } from './start-telemetry.ts';
