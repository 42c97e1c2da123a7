export { METRICS } from './catalogue.ts';
export { errorType } from './error-type.ts';
export { change, count, isMeasured, observe } from './meters.ts';
export type { QueueDepth, ScrapeSources } from './scrape.ts';
export {
  type Attributes,
  beginTrace,
  closing,
  currentSpan,
  isTraced,
  type OpenSpan,
  type SpanSpec,
  traced,
  untraced,
} from './spans.ts';
export { startTelemetry, type Telemetry } from './start-telemetry.ts';
