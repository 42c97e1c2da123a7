import type { Clock, Database, Log } from '../../platform/index.ts';
import type { ListedInstrument } from '../providers/provider.ts';
import { readInstruments, readVersions } from './read-directory.ts';

/** How long the instruments are used before their version is compared again. */
const CHECK_AFTER_MS = 5_000;

/** The listing of one provider in memory, for an adapter that serves only the symbols of its listing. */
export interface ListedInstruments {
  /**
   * Returns the instruments by symbol; null until the listing has been read. Sends no query: if the listing has changed,
   * a later call returns the new one.
   */
  read(): ReadonlyMap<string, ListedInstrument> | null;
  /** Waits until the instruments have been read once. */
  prepare(): Promise<void>;
  /** Reads the instruments again if they have changed. */
  load(): Promise<void>;
}

/** Keeps the listing of a provider in memory. Meant for small listings. */
export function createListedInstruments(
  { database, clock, log }: { readonly database: Database; readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
  provider: string,
): ListedInstruments {
  let version = 0;
  let instruments: ReadonlyMap<string, ListedInstrument> | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;
  let isLoaded = false;

  async function reload(): Promise<void> {
    const latest = (await readVersions(database, [provider])).get(provider) ?? 0;
    if (latest === version) return;
    const read = new Map<string, ListedInstrument>();
    for await (const { provider: _, ...instrument } of readInstruments(database, [provider])) {
      read.set(instrument.symbol, instrument);
    }
    instruments = read;
    version = latest;
  }

  function load(): Promise<void> {
    checkedAt = clock.now().getTime();
    loading ??= reload()
      .then(() => {
        isLoaded = true;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  }

  return {
    load,
    prepare: async () => {
      if (!isLoaded) await load();
    },
    read() {
      if (loading === null && Math.abs(clock.now().getTime() - checkedAt) >= CHECK_AFTER_MS) {
        load().catch((error) => log.warn({ err: error, provider }, 'reading the listing of a provider failed'));
      }
      return instruments;
    },
  };
}
