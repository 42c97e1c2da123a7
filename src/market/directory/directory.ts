import { MINUTE_MS } from '../../calendar/index.ts';
import { type ListingContext, LruCache, type RefreshOutcome } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { InstrumentDirectory } from '../context.ts';
import type { ListedInstrument, MarketProvider } from '../providers/provider.ts';
import { DirectoryEntry } from './directory-entry.ts';
import {
  type ListingState,
  readActiveSymbols,
  readEntries,
  readListingStates,
  readVersions,
} from './read-directory.ts';
import { refreshListing } from './refresh-listing.ts';
import type { DirectoryTables } from './tables.ts';

/** The listings of the providers, as they were last read. */
export interface Directory extends InstrumentDirectory {
  /** Reads the listing of a provider from the provider and stores it. */
  refresh(provider: string, signal?: AbortSignal): Promise<RefreshOutcome>;
  /** Returns the states of the listings by provider. A provider whose listing was never requested has none. */
  readStates(): Promise<ReadonlyMap<string, ListingState>>;
}

export interface DirectoryOptions extends ListingContext {
  /** The configured providers, the preferred one first. */
  readonly providers: readonly MarketProvider[];
  /** Instruments that a provider is known to have, by provider. They count until its listing has been read. */
  readonly presets?: ReadonlyMap<string, readonly ListedInstrument[]>;
}

/** How long an answer of `find` is used. A listing changes once a day. */
const FIND_LIFETIME_MS = MINUTE_MS;
const MAX_FOUND = 20_000;
/** The number of attempts to read a list during which no listing changes. */
const MAX_LIST_ATTEMPTS = 3;

type Found = ListedInstrument | 'absent' | 'unread';

/** Creates the directory of the providers that have a listing behind a network. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { database, clock, presets = new Map<string, readonly ListedInstrument[]>() } = options;
  const listed = options.providers.filter(hasRemoteListing);
  const ids = listed.map(({ id }) => id);
  const found = new LruCache<string, { readonly until: number; readonly answer: Promise<Found> }>({
    maxEntries: MAX_FOUND,
  });

  async function findInDatabase(provider: string, symbol: string): Promise<Found> {
    const row = await database
      .query<DirectoryTables>()
      .selectFrom('market_listing as listing')
      .leftJoin('market_instrument as instrument', (join) =>
        join.onRef('instrument.provider', '=', 'listing.provider').on('instrument.symbol', '=', symbol),
      )
      .select(['instrument.symbol', 'name', 'aliases', 'exchange', 'class', 'units', 'status'])
      .where('listing.provider', '=', provider)
      .where('listing.version', '>', 0)
      .executeTakeFirst();
    if (row !== undefined) return row.symbol === null ? 'absent' : (row as ListedInstrument);
    const preset = presets.get(provider);
    return preset === undefined ? 'unread' : (preset.find((one) => one.symbol === symbol) ?? 'absent');
  }

  async function listOnce(): Promise<{ readonly entries: readonly ListedSeries[]; readonly isStable: boolean }> {
    const versions = await readVersions(database, ids);
    const entries =
      versions.size === 0
        ? []
        : await readEntries(
            database,
            ids.filter((id) => versions.has(id)),
          );
    for (const [provider, instruments] of presets) {
      if (versions.has(provider) || !ids.includes(provider)) continue;
      for (const instrument of instruments) entries.push(new DirectoryEntry(instrument, provider));
    }
    return { entries, isStable: formatVersions(versions) === formatVersions(await readVersions(database, ids)) };
  }

  return {
    find(provider, symbol) {
      const key = `${provider} ${symbol}`;
      const now = clock.now().getTime();
      const known = found.get(key);
      if (known !== undefined && now < known.until) return known.answer;
      const answer = findInDatabase(provider, symbol);
      found.set(key, { until: now + FIND_LIFETIME_MS, answer });
      answer.catch(() => found.delete(key));
      return answer;
    },
    async listSymbols(provider) {
      const isRead = (await readVersions(database, [provider])).size > 0;
      return isRead ? readActiveSymbols(database, provider) : null;
    },
    async list() {
      // The instruments are read in many statements, between which a refresh may replace a listing.
      for (let attempt = 1; ; attempt++) {
        const { entries, isStable } = await listOnce();
        if (isStable || attempt === MAX_LIST_ATTEMPTS) return entries;
      }
    },
    version: async () => formatVersions(await readVersions(database, ids)),
    async refresh(id, signal) {
      const provider = listed.find((one) => one.id === id);
      if (provider === undefined) throw new TypeError(`${id} has no listing.`);
      return refreshListing(options, provider, signal);
    },
    readStates: () => readListingStates(database),
  };
}

/** Returns whether the listing of a provider is kept in the directory. A provider without a network lists directly. */
export function hasRemoteListing(provider: MarketProvider): boolean {
  return provider.readListing !== undefined && provider.requestsPerMinute !== null;
}

function formatVersions(versions: ReadonlyMap<string, number>): string {
  return [...versions].map(([provider, version]) => `${provider} ${version}`).join(', ');
}
