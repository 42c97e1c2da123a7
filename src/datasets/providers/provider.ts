import type { ReportingFrequency } from '../../calendar/index.ts';
import type { ProviderClient } from '../../platform/index.ts';

/** The frequencies in which series are offered. Weeks are dated by their Monday, all others by their last day. */
export type EconomicFrequency = ReportingFrequency | '1W-MON';

/** The frequency that a provider states: one of ours, or the provider's name of one that is not offered. */
export type StatedFrequency = { readonly frequency: EconomicFrequency } | { readonly unsupported: string };

/** The frequency of a series whose dimension decides it. */
export interface FrequencyByDimension {
  /** The field of the dimension. */
  readonly dimension: string;
  readonly byValue: Readonly<Record<string, StatedFrequency>>;
}

/** A dimension from which a request must choose one value. */
export interface Dimension {
  readonly field: string;
  readonly label: string;
  /** Every value, in the order of the provider. */
  readonly values: readonly { readonly value: string; readonly label: string }[];
}

/** What a provider states about a series. All of it is JSON, because it is stored. */
export interface SeriesDetails {
  readonly title: string;
  /** Empty if the provider does not state them. */
  readonly units: string;
  /** The power of ten in which values are stated: 1,000,000 for millions. Null if it is not stated apart from the units. */
  readonly multiplier: number | null;
  readonly seasonalAdjustment: string | null;
  readonly publisher: string;
  /** The instant of the last change, in ISO 8601 with milliseconds and Z. */
  readonly lastUpdate: string | null;
  readonly notes: string | null;
}

/** The structure of a series id: everything that is known before values of its dimensions are chosen. */
export interface SeriesStructure extends SeriesDetails {
  /** Empty if the series id names one series completely. */
  readonly dimensions: readonly Dimension[];
  readonly frequency: StatedFrequency | FrequencyByDimension;
  /** The field of the dimension whose chosen value has the units as its label; otherwise `units` holds for all. */
  readonly unitsDimension?: string;
  /** The field of the dimension whose chosen value has the seasonal adjustment as its label. */
  readonly seasonalDimension?: string;
  /** Instants within the first and the last period, in milliseconds since 1970; null if they are not stated. */
  readonly span: { readonly first: number; readonly last: number } | null;
  /** The date of the first vintage, such as 1991-12-04; null if the provider has no vintages of this series. */
  readonly firstVintage: string | null;
}

/** Which rows to read. */
export interface Selection {
  readonly seriesId: string;
  /** One value of every dimension of the structure, in its order. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The date as of which the rows are read, such as 2020-03-31. Only providers with vintages receive it. */
  readonly vintage?: string | undefined;
}

/** One observation as a provider published it. */
export interface RawObservation {
  /** An instant within the period, in milliseconds since 1970. */
  readonly instant: number;
  /** NaN if the value is missing. */
  readonly value: number;
  /** The provider's mark of this value, such as p for provisional. */
  readonly flag?: string | undefined;
}

/** The observations of one series, in any order. */
export interface RawSeries {
  readonly frequency: StatedFrequency;
  readonly observations: readonly RawObservation[];
  /** What the reply states about this series. It replaces the details of the structure. */
  readonly details: Partial<SeriesDetails>;
  /** The meaning of the flags, by flag, as far as the provider states it. */
  readonly flagLabels: Readonly<Record<string, string>>;
  readonly footnotes: readonly string[];
}

/** A series, or a data set with dimensions, in the listing of a provider. */
export interface ListedEntry {
  readonly seriesId: string;
  readonly title: string;
  /** Further search terms, such as topics. The publisher need not be repeated in every entry. */
  readonly keywords: readonly string[];
  /** Null if it is not stated or depends on a dimension. */
  readonly frequency: EconomicFrequency | null;
  readonly units: string;
  readonly span: SeriesStructure['span'];
  /** The instant of the last change, in ISO 8601; null if it is not stated. */
  readonly lastUpdate: string | null;
  /** Whether the series has the dimension that `readMembers` returns, so that its members find the series. */
  readonly hasMembers?: boolean;
}

/** The protocol of one provider. It keeps nothing and uses neither a database nor a clock. */
export interface EconomicAdapter {
  readonly id: string;
  /** The name for people, such as "World Bank". */
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly license: { readonly name: string; readonly url: string | null };
  /** The time zone of the dates of vintages; undefined if the provider has no vintages. */
  readonly vintageTimeZone?: string;
  /** Whether the provider is used without a key. Such a provider takes part in searches once its listing was read. */
  readonly isKeyless: boolean;
  /** A series that the provider is known to have, for the check of the provider. */
  readonly wellKnown: Selection;
  /** Returns the structure; null if there is no such series id. */
  readStructure(seriesId: string, http: ProviderClient): Promise<SeriesStructure | null>;
  /** Returns the observations; null if there is no series with these values of its dimensions. */
  readSeries(selection: Selection, http: ProviderClient): Promise<RawSeries | null>;
  /** Yields the series that the search finds, in batches. */
  readListing(http: ProviderClient): AsyncIterable<readonly ListedEntry[]>;
  /** Returns a dimension that all entries with `hasMembers` have, such as the countries. */
  readMembers?(http: ProviderClient): Promise<Dimension>;
  /** Returns what the provider's own search finds, the best first, at most `limit`. */
  search?(query: string, limit: number, http: ProviderClient): Promise<readonly ListedEntry[]>;
}
