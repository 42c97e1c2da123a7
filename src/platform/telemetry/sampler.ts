import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';

/**
 * Traces the given share of requests and jobs, and all or nothing of each. A caller that goes on with a trace of its own
 * may ask not to be traced; whether one that asks to be is, is drawn here and not by its trace id, which it chooses: so
 * nobody outside can make more traces than the share.
 */
export function shareOf(ratio: number): Sampler {
  return new ParentBasedSampler({
    root: new TraceIdRatioBasedSampler(ratio),
    remoteParentSampled: {
      shouldSample: () => ({
        decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
      }),
      toString: () => `Draw{${ratio}}`,
    },
  });
}
