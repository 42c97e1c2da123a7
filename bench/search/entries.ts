import type { Random } from '../../src/engine/numerics/random.ts';
import type { ListedSeries } from '../../src/snapshots/index.ts';
import {
  ADJUSTMENTS,
  BUSINESSES,
  COUNTRIES,
  EXCHANGES,
  FREQUENCIES,
  INDICATORS,
  LEGAL_FORMS,
  SYLLABLES,
} from './names.ts';

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random.uniform() * items.length)] as Item;
}

/**
 * Generates entries: one half are published series (countries × indicators × frequencies × adjustments), the other half
 * companies.
 */
export function generateEntries(random: Random, count: number): ListedSeries[] {
  const published = publishedSeries().slice(0, count >> 1);
  const symbols = distinctSymbols(random, count - published.length);
  return [...published, ...symbols.map((symbol) => company(random, symbol))];
}

function publishedSeries(): ListedSeries[] {
  return COUNTRIES.flatMap((country, c) =>
    INDICATORS.flatMap((indicator, i) =>
      FREQUENCIES.flatMap((frequency) =>
        ADJUSTMENTS.map((adjustment, a) => ({
          source: {
            type: 'economic_series' as const,
            provider: 'statistics',
            series_id: `C${c}.I${i}.${frequency[0]?.toUpperCase()}${a}`,
          },
          title: `${indicator}, ${country}, ${frequency}, ${adjustment}`,
          keywords: [country, frequency, 'economy'],
          provider: 'National statistics',
          frequency,
          span: { start: '1990-01-01', end: '2025-01-01' },
          units: 'index',
        })),
      ),
    ),
  );
}

export function distinctSymbols(random: Random, count: number): string[] {
  const symbols = new Set<string>();
  while (symbols.size < count) {
    const length = 3 + Math.floor(random.uniform() * 3);
    const letters = Array.from({ length }, () => 65 + Math.floor(random.uniform() * 26));
    symbols.add(String.fromCharCode(...letters));
  }
  return [...symbols];
}

function company(random: Random, symbol: string): ListedSeries {
  const business = pick(random, BUSINESSES);
  return {
    source: { type: 'market', symbol, timeframe: '1D' },
    title: companyName(random, business),
    keywords: [symbol, pick(random, EXCHANGES), 'share price', 'United States', business],
    provider: 'market data',
    frequency: '1D',
    span: { start: '2005-01-03', end: '2025-01-01' },
    units: 'USD',
  };
}

export function companyName(random: Random, business = pick(random, BUSINESSES)): string {
  const syllables = Array.from({ length: 2 + Math.floor(random.uniform() * 3) }, () => pick(random, SYLLABLES));
  const name = syllables.join('').replace(/^./, (letter) => letter.toUpperCase());
  return `${name} ${business} ${pick(random, LEGAL_FORMS)}`;
}
