/** The parts of a W3C traceparent header. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses the header. Returns null if it is invalid. Later versions may append more fields (W3C, 4.3). */
export function readTraceParent(text: string | undefined): TraceParent | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = FORMAT.exec(text?.slice(0, 200) ?? '') ?? [];
  const isKnown = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns the header of a recorded span. */
export function formatTraceParent({ traceId, spanId }: { readonly traceId: string; readonly spanId: string }): string {
  return `00-${traceId}-${spanId}-01`;
}
