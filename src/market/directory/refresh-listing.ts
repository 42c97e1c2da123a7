import { HOUR_MS } from '../../calendar/index.ts';
import { type Clock, type Database, type Log, openProviderClient, ProviderError } from '../../platform/index.ts';
import type { MarketProvider } from '../providers/provider.ts';
import { type CollectedListing, collectListing } from './collect-listing.ts';
import type { DirectoryTables, MarketListingTable } from './tables.ts';
import { writeListing } from './write-listing.ts';

export interface RefreshContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** `superseded`: another process stored a listing of this provider meanwhile. */
export type RefreshOutcome = 'refreshed' | 'failed' | 'superseded';

/** The faults of a listing besides those of its provider. */
type ListingFault = ProviderError['fault'] | 'TOO_SMALL' | 'UNEXPECTED';

/** The time limit for reading a listing. One of 40,000 instruments has 40 pages, and some budgets allow 5 a minute. */
const LISTING_TOTAL_MS = HOUR_MS;
/** A listing with a smaller share of the entries before is not believed. Real listings do not shrink like this. */
const MIN_SHARE = 0.5;

/** Reads the listing of a provider and stores it. A listing that fails, is cut or is far too small changes nothing. */
export async function refreshListing(
  context: RefreshContext,
  provider: MarketProvider,
  signal?: AbortSignal,
): Promise<RefreshOutcome> {
  const { database, clock, log } = context;
  if (provider.readListing === undefined) throw new TypeError(`${provider.id} has no listing.`);
  const before = await readOrCreateState(database, provider.id);
  let listing: CollectedListing;
  try {
    const http = openProviderClient({ database, clock }, provider, { signal, totalMs: LISTING_TOTAL_MS });
    listing = await collectListing(provider.readListing(http));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProviderError) {
      log.warn(
        { err: error, provider: provider.id },
        'reading the listing of a provider failed; the earlier one stays',
      );
    } else {
      log.error({ err: error, provider: provider.id }, 'reading the listing of a provider failed unexpectedly');
    }
    return recordFailure(context, provider.id, error instanceof ProviderError ? error.fault : 'UNEXPECTED');
  }
  signal?.throwIfAborted();
  const entries = listing.instruments.size;
  const { active, dropped } = listing;
  if (active === 0 || entries < before.entries * MIN_SHARE || active < before.active * MIN_SHARE) {
    const sizes = { entries, active, earlier: { entries: before.entries, active: before.active } };
    log.warn({ provider: provider.id, ...sizes }, 'the listing of a provider is far too small; the earlier one stays');
    return recordFailure(context, provider.id, 'TOO_SMALL');
  }
  const { version } = before;
  if (!(await writeListing(database, provider.id, { version, now: clock.now(), signal }, listing))) return 'superseded';
  log.info({ provider: provider.id, entries, active, dropped }, 'the listing of a provider was refreshed');
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

async function recordFailure(
  { database, clock }: RefreshContext,
  provider: string,
  fault: ListingFault,
): Promise<RefreshOutcome> {
  await database
    .query<DirectoryTables>()
    .updateTable('market_listing')
    .set({ tried_at: clock.now(), last_error: fault })
    .where('provider', '=', provider)
    .execute();
  return 'failed';
}
