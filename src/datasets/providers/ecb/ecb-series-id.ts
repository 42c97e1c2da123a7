import { SDMX_ID } from '../sdmx/read-structures.ts';

/** A series id of the ECB: a data flow, or a data flow with the key of one of its series. */
export interface EcbSeriesId {
  readonly flow: string;
  readonly key: string | null;
}

const MAX_LENGTH = 256;
/** The ECB writes ids with capitals. Others are refused, so that no reply names a series in another spelling. */
const FLOW = /^[A-Z0-9_@$-]{1,64}$/;
/** The word with which the protocol requests everything. */
const WILDCARD = 'ALL';

/**
 * Returns the parts of a series id; null if it cannot be one of the ECB's or has wildcards, because a key must name one
 * series.
 *
 * @example parseSeriesId('EXR/D.USD.EUR.SP00.A') // { flow: 'EXR', key: 'D.USD.EUR.SP00.A' }
 */
export function parseSeriesId(seriesId: string): EcbSeriesId | null {
  if (seriesId.length > MAX_LENGTH) return null;
  const [flow = '', key = null, ...rest] = seriesId.split('/');
  if (rest.length > 0 || !isFlow(flow)) return null;
  if (key !== null && (key === WILDCARD || !key.split('.').every((part) => FLOW.test(part)))) return null;
  return { flow, key };
}

/** Returns whether a text can be the id of a data flow. */
export function isFlow(text: string): boolean {
  return FLOW.test(text) && text !== WILDCARD;
}

/** Returns the key that values of all dimensions form; null if one of them cannot be a code. */
export function formatKey(values: readonly string[]): string | null {
  return values.length > 0 && values.every((value) => SDMX_ID.test(value)) ? values.join('.') : null;
}
