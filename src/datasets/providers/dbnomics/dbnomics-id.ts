/** The parts of a series id: PROVIDER/DATASET, or PROVIDER/DATASET/SERIES for one series of the data set. */
export interface DbnomicsId {
  readonly provider: string;
  readonly dataset: string;
  /** The code of a series, which may contain slashes; null if the id names a data set. */
  readonly series: string | null;
}

const MAX_ID_LENGTH = 256;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Returns the parts of a series id; null if no id of DBnomics has this text. */
export function parseDbnomicsId(text: string): DbnomicsId | null {
  if (text.length > MAX_ID_LENGTH || UNPRINTABLE.test(text)) return null;
  const [provider = '', dataset = '', ...rest] = text.split('/');
  const series = rest.length === 0 ? null : rest.join('/');
  return [provider, dataset, series ?? dataset].every(isCode) ? { provider, dataset, series } : null;
}

function isCode(text: string): boolean {
  // A part that is a dot or two would name another address.
  return text !== '' && text.trim() === text && text !== '.' && text !== '..';
}

/** Returns the path of an id within an address. */
export function formatPath({ provider, dataset, series }: DbnomicsId): string {
  return [provider, dataset, ...(series === null ? [] : [series])].map(encodeURIComponent).join('/');
}

const LATEST = ':latest';

/**
 * Returns whether a reply is about the data set of an id. The name WEO:latest stands for the latest release, such as
 * WEO:2025-04.
 */
export function isDataset({ provider, dataset }: DbnomicsId, providerCode: unknown, code: unknown): boolean {
  if (providerCode !== provider || typeof code !== 'string') return false;
  return code === dataset || (dataset.endsWith(LATEST) && code.startsWith(dataset.slice(0, 1 - LATEST.length)));
}
