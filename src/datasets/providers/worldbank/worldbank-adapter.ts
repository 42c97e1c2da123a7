import type { ProviderClient } from '../../../platform/index.ts';
import type { EconomicAdapter, SeriesStructure } from '../provider.ts';
import { COUNTRY, requestCountries } from './countries.ts';
import { frequencyOfSource, type Indicator, isIndicatorId, requestIndicator } from './indicators.ts';
import { listIndicators } from './list-indicators.ts';
import { requestObservations } from './observations.ts';
import { WORLDBANK, type WorldBankSession } from './worldbank-reply.ts';

const NAME = 'World Bank';

export interface WorldBankSettings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly requestsPerMinute: number;
}

/** Creates the adapter of the World Bank's indicators. A series id is an indicator, and its dimension is the country. */
export function createWorldBankAdapter({ url, requestsPerMinute }: WorldBankSettings): EconomicAdapter {
  const open = (http: ProviderClient): WorldBankSession => ({ url, http });
  return {
    id: WORLDBANK,
    name: NAME,
    requestsPerMinute,
    license: { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    isKeyless: true,
    wellKnown: { seriesId: 'NY.GDP.MKTP.CD', dimensions: { [COUNTRY]: 'USA' } },
    readStructure: (seriesId, http) => readStructure(open(http), seriesId),
    readSeries: (selection, http) => requestObservations(open(http), selection),
    readListing: (http) => listIndicators(open(http)),
    readMembers: (http) => requestCountries(open(http)),
  };
}

async function readStructure(session: WorldBankSession, seriesId: string): Promise<SeriesStructure | null> {
  if (!isIndicatorId(seriesId)) return null;
  const indicator = await requestIndicator(session, seriesId);
  if (indicator === null) return null;
  return {
    title: indicator.name,
    units: indicator.units,
    multiplier: null,
    seasonalAdjustment: null,
    publisher: formatPublisher(indicator),
    lastUpdate: null,
    notes: indicator.note === '' ? null : indicator.note,
    dimensions: [await requestCountries(session)],
    // The dates of the rows decide it.
    frequency: { frequency: frequencyOfSource(indicator.source) },
    span: null,
    firstVintage: null,
  };
}

function formatPublisher({ source, organization }: Indicator): string {
  if (source !== '') return `${NAME}, ${source}`;
  return organization === '' ? NAME : organization;
}
