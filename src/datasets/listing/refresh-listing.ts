import {
  type Database,
  isTooSmall,
  type ListingContext,
  type RefreshOutcome,
  recordListingFailure,
  tryListing,
} from '../../platform/index.ts';
import type { EconomicAdapter } from '../providers/provider.ts';
import { collectListing } from './collect-entries.ts';
import type { EconomicListingTables } from './tables.ts';
import { type StoredListing, writeListing } from './write-listing.ts';
import { createListings } from './write-series.ts';

/**
 * Reads the listing of a provider and the members of its series, and stores both. A listing that fails, is cut or is far
 * too small changes nothing.
 */
export async function refreshListing(
  context: ListingContext,
  adapter: EconomicAdapter,
  signal?: AbortSignal,
): Promise<RefreshOutcome> {
  const { database, clock, log } = context;
  const provider = adapter.id;
  const before = await readOrCreateListing(database, provider);
  const read = await tryListing(context, adapter, (http) => collectListing(adapter, http), signal);
  if ('fault' in read) return recordListingFailure(context, 'economic_listing', provider, read.fault);
  const { series, members, dropped } = read.listing;
  const entries = series.size;
  const hasLostMembers = members !== null && isTooSmall(members.values.length, before.members?.values.length ?? 0);
  if (isTooSmall(entries, before.entries) || hasLostMembers) {
    const sizes = { entries, members: members?.values.length, earlier: before.entries };
    log.warn({ provider, ...sizes }, 'the listing of a provider is far too small; the earlier one stays');
    return recordListingFailure(context, 'economic_listing', provider, 'TOO_SMALL');
  }
  const options = { now: clock.now(), signal };
  if (!(await writeListing(database, provider, before, read.listing, options))) return 'superseded';
  log.info({ provider, entries, dropped }, 'the listing of a provider was refreshed');
  return 'refreshed';
}

async function readOrCreateListing(
  database: Database,
  provider: string,
): Promise<StoredListing & { readonly entries: number }> {
  await createListings(database, [provider]);
  const listing = await database
    .query<EconomicListingTables>()
    .selectFrom('economic_listing')
    .select(['version', 'entries', 'members'])
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow();
  return { ...listing, version: Number(listing.version) };
}
