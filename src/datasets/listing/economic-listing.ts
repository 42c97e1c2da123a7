import type { ListingContext, RefreshOutcome } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { EconomicAdapter } from '../providers/provider.ts';
import { EconomicEntry } from './economic-entry.ts';
import { createFind, type FindContext, type FindResult } from './find-series.ts';
import {
  type ListingState,
  readLastUpdate,
  readListingStates,
  readMembers,
  readSeries,
  readVersions,
  type Versions,
} from './read-series.ts';
import { refreshListing } from './refresh-listing.ts';

/** The series that the search finds: those in the listings of the providers, and those that their searches found. */
export interface EconomicListing {
  /** Returns every series of the listings that have been read. */
  list(): Promise<readonly ListedSeries[]>;
  /** Returns a text that changes when `list` returns other series. */
  version(): Promise<string>;
  /** Returns the series that searches of providers found and that are not in the listings. */
  listFound(): Promise<readonly ListedSeries[]>;
  /** Returns a text that changes when `listFound` returns other series. */
  foundVersion(): Promise<string>;
  /**
   * Sends a query to the searches of the providers that have one, and stores what they find. A query that a provider
   * answered within the last hour is not sent again.
   */
  find(query: string, signal?: AbortSignal): Promise<FindResult>;
  /** Reads the listing of a provider from the provider and stores it. */
  refresh(provider: string, signal?: AbortSignal): Promise<RefreshOutcome>;
  /** Returns the states of the listings by provider. A provider that was never requested has none. */
  readStates(): Promise<ReadonlyMap<string, ListingState>>;
  /** Returns the instant of the last change that is stored for a series, in ISO 8601; null if there is none. */
  lastUpdateOf(provider: string, seriesId: string): Promise<string | null>;
}

export interface EconomicListingOptions extends ListingContext, Pick<FindContext, 'findMs'> {
  readonly adapters: readonly EconomicAdapter[];
}

/** The number of attempts to read a list during which no listing changes. */
const MAX_LIST_ATTEMPTS = 3;

type Kind = 'listed' | 'found';

/** Creates the listing of all economic providers. */
export function createEconomicListing(options: EconomicListingOptions): EconomicListing {
  const { database, adapters } = options;
  const ids = adapters.map(({ id }) => id);

  const readVersion = async (kind: Kind) => formatVersions(await readVersions(database, ids), kind);

  async function listOnce(kind: Kind): Promise<readonly ListedSeries[]> {
    const versions = await readVersions(database, ids);
    const entries: ListedSeries[] = [];
    for (const { id, name } of adapters) {
      if (versionOf(versions.get(id), kind) === 0) continue;
      const members = await readMembers(database, id);
      const shared = members && { field: members.field, values: members.values };
      const provider = { id, name, members: shared };
      for await (const row of readSeries(database, id, kind)) entries.push(new EconomicEntry(row, provider));
    }
    return entries;
  }

  /** Reads a list in many statements, between which a refresh or a search may change it. */
  async function list(kind: Kind): Promise<readonly ListedSeries[]> {
    let version = await readVersion(kind);
    for (let attempt = 1; ; attempt++) {
      const entries = await listOnce(kind);
      const latest = await readVersion(kind);
      if (version === latest || attempt === MAX_LIST_ATTEMPTS) return entries;
      version = latest;
    }
  }

  return {
    list: () => list('listed'),
    version: () => readVersion('listed'),
    listFound: () => list('found'),
    foundVersion: () => readVersion('found'),
    find: createFind(options),
    async refresh(id, signal) {
      const adapter = adapters.find((one) => one.id === id);
      if (adapter === undefined) throw new TypeError(`${id} has no listing.`);
      return refreshListing(options, adapter, signal);
    },
    readStates: () => readListingStates(database),
    lastUpdateOf: (provider, seriesId) => readLastUpdate(database, provider, seriesId),
  };
}

function versionOf(versions: Versions | undefined, kind: Kind): number {
  return (kind === 'listed' ? versions?.version : versions?.found_version) ?? 0;
}

function formatVersions(versions: ReadonlyMap<string, Versions>, kind: Kind): string {
  const changed = [...versions].filter(([, one]) => versionOf(one, kind) > 0);
  return changed.map(([provider, one]) => `${provider} ${versionOf(one, kind)}`).join(', ');
}
