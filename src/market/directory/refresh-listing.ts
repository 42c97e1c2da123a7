import {
  type Database,
  isTooSmall,
  type ListingContext,
  type RefreshOutcome,
  recordListingFailure,
  tryListing,
} from '../../platform/index.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { collectListing } from './collect-listing.ts';
import type { DirectoryTables, MarketListingTable } from './tables.ts';
import { writeListing } from './write-listing.ts';

/** Reads the listing of a provider and stores it. A listing that fails, is cut or is far too small changes nothing. */
export async function refreshListing(
  context: ListingContext,
  provider: MarketProvider,
  signal?: AbortSignal,
): Promise<RefreshOutcome> {
  const { database, clock, log } = context;
  const { id } = provider;
  if (provider.readListing === undefined) throw new TypeError(`${id} has no listing.`);
  const readListing = provider.readListing.bind(provider);
  const before = await readOrCreateState(database, id);
  const read = await tryListing(context, provider, (http) => collectListing(readListing(http)), signal);
  if ('fault' in read) return recordListingFailure(context, 'market_listing', id, read.fault);
  const { listing } = read;
  const entries = listing.instruments.size;
  const { active, dropped } = listing;
  if (isTooSmall(entries, before.entries) || isTooSmall(active, before.active)) {
    const sizes = { entries, active, earlier: { entries: before.entries, active: before.active } };
    log.warn({ provider: id, ...sizes }, 'the listing of a provider is far too small; the earlier one stays');
    return recordListingFailure(context, 'market_listing', id, 'TOO_SMALL');
  }
  const { version } = before;
  if (!(await writeListing(database, id, { version, now: clock.now(), signal }, listing))) return 'superseded';
  log.info({ provider: id, entries, active, dropped }, 'the listing of a provider was refreshed');
  return 'refreshed';
}

type State = Pick<MarketListingTable, 'version' | 'entries' | 'active'>;

async function readOrCreateState(database: Database, provider: string): Promise<State> {
  const db = database.query<DirectoryTables>();
  await db
    .insertInto('market_listing')
    .values({ provider, version: 0, entries: 0, active: 0, refreshed_at: null, tried_at: null, last_error: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const state = await db
    .selectFrom('market_listing')
    .select(['version', 'entries', 'active'])
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow();
  return { ...state, version: Number(state.version) };
}
