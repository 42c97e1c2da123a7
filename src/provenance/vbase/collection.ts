import type { VbaseClient, VbaseCollection } from './vbase-client.ts';
import { VbaseError } from './vbase-error.ts';

export interface NamedSet {
  readonly name: string;
  /** The SHA3-256 of the name. */
  readonly setCid: string;
}

/**
 * Creates the collection if the account of the key has none with its id. Throws a `VbaseError` if the service has another
 * id for the name, because receipts for it would not verify.
 */
export async function ensureCollection(client: VbaseClient, set: NamedSet, signal: AbortSignal): Promise<void> {
  if (hasCollection(await client.listCollections(signal), set)) return;
  let created: VbaseCollection;
  try {
    created = await client.createCollection(set.name, signal);
  } catch (error) {
    if (!(error instanceof VbaseError) || error.fault !== 'refused') throw error;
    // Another process may have created it since the list was read.
    if (hasCollection(await client.listCollections(signal), set)) return;
    throw error;
  }
  if (created.cid !== set.setCid) throw new VbaseError('other_set', 'other id');
}

/** Returns whether a collection is listed. Throws a `VbaseError` if its name is listed with another id. */
export function hasCollection(collections: readonly VbaseCollection[], { name, setCid }: NamedSet): boolean {
  if (collections.some(({ cid }) => cid === setCid)) return true;
  if (collections.some((listed) => listed.name === name)) throw new VbaseError('other_set', 'other id');
  return false;
}
