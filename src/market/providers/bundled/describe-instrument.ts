import type { SeriesDescription } from '../../../contract/index.ts';
import { sayInstalledPackage } from '../../../platform/index.ts';
import { BUNDLED, findInstrument } from './instruments.ts';
import { readHistory } from './read-history.ts';

/** What a caller must know of a bundled instrument; null: not bundled. */
export async function describeBundledInstrument(symbol: string): Promise<SeriesDescription | null> {
  const instrument = findInstrument(symbol);
  if (instrument === null) return null;
  const { title, adjustments, priceUnits, volumeUnits, file, license, notes } = instrument;
  const [{ rows, first, last }, installed] = await Promise.all([
    readHistory(instrument),
    sayInstalledPackage(file.package),
  ]);
  const price = (field: string, label: string) => ({ field, label, units: priceUnits });
  return {
    provider: BUNDLED,
    title,
    frequency: '1D',
    timeframes: ['1D', '1W-MON', '1MS'],
    adjustments: [...adjustments],
    sessions: ['regular'],
    time_field: 'timestamp',
    values: [
      price('open', 'Opening price'),
      price('high', 'Highest price'),
      price('low', 'Lowest price'),
      price('close', 'Closing price'),
      { field: 'volume', label: 'Volume traded', units: volumeUnits },
    ],
    dimensions: [],
    units: priceUnits,
    span: { start: new Date(first.timestamp).toISOString(), end: new Date(last.timestamp).toISOString() },
    rows: rows.length,
    reporting_period: 'session',
    vintage: 'revised',
    publisher: `Yahoo Finance, by way of ${installed}`,
    license: { ...license },
    notes,
  };
}
