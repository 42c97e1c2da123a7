import { periodTimestamp } from '../../calendar/index.ts';
import type { EconomicReference } from '../../contract/index.ts';
import { createTextSharer } from '../../platform/index.ts';
import type { ListedSeries } from '../../snapshots/index.ts';
import type { EconomicFrequency } from '../providers/provider.ts';
import type { SeriesRow } from './series-row.ts';

/** What the entries of a provider have in common. */
export interface EntryProvider {
  readonly id: string;
  /** The name for people, by which a search finds its series. */
  readonly name: string;
  readonly members: ListedSeries['members'] | null;
}

/** The frequency of a data set whose dimensions decide it. */
const VARIES = 'varies';

/**
 * A series of a listing as the search lists it. The search holds 100,000 of them, so an entry has only the fields that
 * differ, and derives the others.
 */
export class EconomicEntry implements ListedSeries {
  readonly title: string;
  readonly units: string;
  readonly members?: NonNullable<ListedSeries['members']>;
  readonly #seriesId: string;
  readonly #provider: EntryProvider;
  readonly #keywords: readonly string[];
  readonly #frequency: EconomicFrequency | null;
  readonly #firstAt: number;
  readonly #lastAt: number;

  constructor(row: SeriesRow, provider: EntryProvider) {
    this.title = row.title;
    this.units = share(row.units);
    this.#seriesId = row.series_id;
    this.#provider = provider;
    this.#keywords = row.keywords.length === 0 ? NONE : row.keywords.map(share);
    this.#frequency = row.frequency === null ? null : share(row.frequency);
    this.#firstAt = row.first_at ?? Number.NaN;
    this.#lastAt = row.last_at ?? Number.NaN;
    if (row.has_members && provider.members) this.members = provider.members;
  }

  get source(): EconomicReference {
    return { type: 'economic_series', provider: this.provider, series_id: this.#seriesId };
  }

  get provider(): string {
    return this.#provider.id;
  }

  get keywords(): readonly string[] {
    return [this.#provider.name, ...this.#keywords];
  }

  get frequency(): string {
    return this.#frequency ?? VARIES;
  }

  /** From the timestamp of the first row to that of the last one, if the listing states them and the frequency. */
  get span(): ListedSeries['span'] {
    const frequency = this.#frequency;
    if (frequency === null || Number.isNaN(this.#firstAt)) return null;
    const format = (instant: number) => new Date(periodTimestamp(frequency, instant)).toISOString();
    return { start: format(this.#firstAt), end: format(this.#lastAt) };
  }
}

const NONE: readonly string[] = [];
/** Listings have some thousands of topics and units. */
const share = createTextSharer(20_000);
