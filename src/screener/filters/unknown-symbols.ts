import type { CheckedFilterContext } from '../context.ts';
import type { RequestedRules } from '../evaluate/filter-rules.ts';
import type { ScreenerFilterTable } from '../tables.ts';
import { viewFilter } from './find-filter.ts';

type ListingContext = Pick<CheckedFilterContext, 'listing'>;

/** Returns a filter as the API shows it, with those of its symbols that no provider lists. */
export async function viewCheckedFilter(context: ListingContext, filter: ScreenerFilterTable) {
  return { ...viewFilter(filter), ...(await viewUnknownSymbols(context, filter.universe ?? 'all')) };
}

/**
 * Returns the symbols of a universe that no provider lists. Omits the field while the list of a provider is missing.
 */
export async function viewUnknownSymbols(
  { listing }: ListingContext,
  universe: RequestedRules['universe'],
): Promise<{ unknown_symbols?: string[] }> {
  const unknown = await listing.findUnknown(universe === 'all' ? [] : universe);
  return unknown === null ? {} : { unknown_symbols: [...unknown] };
}
