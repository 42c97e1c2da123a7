import type { SeriesDescription } from '../contract/index.ts';

/** Describes the columns of bars. */
export function describeValues(priceUnits: string, volumeUnits: string): SeriesDescription['values'] {
  const price = (field: string, label: string) => ({ field, label, units: priceUnits });
  return [
    price('open', 'Opening price'),
    price('high', 'Highest price'),
    price('low', 'Lowest price'),
    price('close', 'Closing price'),
    { field: 'volume', label: 'Volume traded', units: volumeUnits },
  ];
}
