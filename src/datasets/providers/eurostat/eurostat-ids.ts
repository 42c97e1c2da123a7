export const EUROSTAT = 'eurostat';

/** What a series id names: a data set, or one series of it by the values of all its dimensions. */
export interface EurostatId {
  readonly code: string;
  /** One value of each dimension, in the order of the data set; null if the id names the whole data set. */
  readonly key: readonly string[] | null;
}

/** The longest series id. */
const MAX_ID_LENGTH = 256;
// Eurostat reads codes of data sets in any case. The catalog writes them in lower case, so that each has one spelling.
const DATA_SET = /^[a-z0-9][a-z0-9_$-]{0,99}$/;
// The characters of an id in SDMX. The values of Eurostat contain neither dots nor slashes.
const VALUE = /^[A-Za-z0-9_@$-]{1,64}$/;
const FIELD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** The parameters of a request that do not name a dimension, in lower case. */
const RESERVED: ReadonlySet<string> = new Set([
  'format',
  'lang',
  'time',
  'time_period',
  'sincetimeperiod',
  'untiltimeperiod',
  'lasttimeperiod',
  'geolevel',
]);

/**
 * Returns the parts of a series id; null for a text that cannot be one.
 *
 * @example parseEurostatId('nama_10_gdp/A.CP_MEUR.B1GQ.FR') // { code: 'nama_10_gdp', key: ['A', 'CP_MEUR', …] }
 */
export function parseEurostatId(seriesId: string): EurostatId | null {
  if (seriesId.length > MAX_ID_LENGTH) return null;
  const slash = seriesId.indexOf('/');
  const code = slash === -1 ? seriesId : seriesId.slice(0, slash);
  if (!isDataSetCode(code)) return null;
  if (slash === -1) return { code, key: null };
  const key = seriesId.slice(slash + 1).split('.');
  return key.every(isValue) ? { code, key } : null;
}

/** Returns whether a text can be the code of a data set that the API at this address has. */
export function isDataSetCode(text: string): boolean {
  // The data sets of Comext are at another address.
  return DATA_SET.test(text) && !text.startsWith('ds-');
}

/** Returns whether a text can be the value of a dimension. */
export function isValue(text: string): boolean {
  return VALUE.test(text);
}

/** Returns whether a text can be the name of a dimension and of a parameter that filters by it. */
export function isField(text: string): boolean {
  return FIELD.test(text) && !RESERVED.has(text.toLowerCase());
}
