import { setImmediate } from 'node:timers/promises';
import { cleanText } from '../../platform/index.ts';
import type { ListedInstrument } from '../providers/provider.ts';

/** A complete listing of a provider, by symbol. */
export interface CollectedListing {
  readonly instruments: Map<string, ListedInstrument>;
  /** The number of instruments that are not delisted. */
  readonly active: number;
  /** The number of entries that were left out, because their symbol or class is not usable. */
  readonly dropped: number;
}

const SYMBOL = /^[\x21-\x7e]{1,32}$/;
const CLASSES: readonly string[] = ['stock', 'pair', 'metal', 'coin'];
const MAX_NAME_LENGTH = 200;
const MAX_ALIASES = 20;

/**
 * Reads a listing to its end. A symbol that was given to another instrument after a delisting occurs twice in the
 * listings of some providers; the active instrument is kept, otherwise the first one.
 */
export async function collectListing(batches: AsyncIterable<readonly ListedInstrument[]>): Promise<CollectedListing> {
  const instruments = new Map<string, ListedInstrument>();
  let active = 0;
  let dropped = 0;
  for await (const batch of batches) {
    for (const entry of batch) {
      if (!SYMBOL.test(entry.symbol) || !CLASSES.includes(entry.class)) {
        dropped++;
        continue;
      }
      const isActive = entry.status === 'active';
      const earlier = instruments.get(entry.symbol);
      if (earlier !== undefined && (!isActive || earlier.status === 'active')) continue;
      instruments.set(entry.symbol, normalize(entry));
      if (isActive) active++;
    }
    // Batches that need no request, such as parts of one large reply, would otherwise follow without a pause.
    await setImmediate();
  }
  return { instruments, active, dropped };
}

function normalize(entry: ListedInstrument): ListedInstrument {
  const aliases = new Set(entry.aliases.slice(0, MAX_ALIASES).map(cleanName));
  aliases.delete('');
  return {
    symbol: entry.symbol,
    name: cleanName(entry.name) || entry.symbol,
    aliases: [...aliases],
    exchange: entry.exchange === null ? null : cleanName(entry.exchange) || null,
    class: entry.class,
    units: cleanName(entry.units),
    status: entry.status === 'active' ? 'active' : 'delisted',
  };
}

function cleanName(text: string): string {
  return cleanText(text, MAX_NAME_LENGTH);
}
