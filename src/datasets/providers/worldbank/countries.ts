import { malformed } from '../../../platform/index.ts';
import type { Dimension } from '../provider.ts';
import { readText, requestRows, WORLDBANK, type WorldBankSession } from './worldbank-reply.ts';

/** The field of the only dimension. */
export const COUNTRY = 'country';

const COUNTRIES_PER_PAGE = '400';
const MAX_NAME = 200;

/** Returns whether a text can be the code of a country or of an aggregate such as EMU. `ALL` would name all of them. */
export function isCountryCode(text: string): boolean {
  return /^[A-Z0-9]{3}$/.test(text) && text !== 'ALL';
}

/** Requests the countries and aggregates, which all indicators share. */
export async function requestCountries(session: WorldBankSession): Promise<Dimension> {
  const seen = new Set<string>();
  const reply = await requestRows(session, '/country', { per_page: COUNTRIES_PER_PAGE }, ({ id, name }) => {
    if (typeof id !== 'string' || seen.has(id)) throw malformed(WORLDBANK, 'the code of a country');
    seen.add(id);
    return { value: id, label: readText(name, MAX_NAME) || id };
  });
  const values = reply?.rows.filter(({ value }) => isCountryCode(value)) ?? [];
  if (values.length === 0) throw malformed(WORLDBANK, 'no countries');
  return { field: COUNTRY, label: 'Country', values };
}

/** Throws unless a country has the stated short code: the rows of some aggregates have no other. */
export async function checkShortCode(session: WorldBankSession, country: string, stated: string): Promise<void> {
  const reply = await requestRows(session, `/country/${country}`, {}, ({ id, iso2Code }) => {
    if (id !== country || iso2Code !== stated) throw malformed(WORLDBANK, 'rows of another country');
  });
  if (reply?.rows.length !== 1) throw malformed(WORLDBANK, 'a country');
}
