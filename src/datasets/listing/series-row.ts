import { EARLIEST_INSTANT, LATEST_INSTANT } from '../../calendar/index.ts';
import { cleanText } from '../../platform/index.ts';
import type { Dimension, EconomicFrequency, ListedEntry } from '../providers/provider.ts';
import { findTopicWords } from './topic-words.ts';

/** A series as the database stores it. Its texts are lines of limited length. */
export interface SeriesRow {
  readonly series_id: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly frequency: EconomicFrequency | null;
  readonly units: string;
  /** Instants within the first and the last period, in milliseconds since 1970. */
  readonly first_at: number | null;
  readonly last_at: number | null;
  /** Milliseconds since 1970. */
  readonly updated_at: number | null;
  readonly has_members: boolean;
}

/** Printable characters and inner spaces. */
const CODE = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u;
const MAX_ID_LENGTH = 256;
/** The limit of the API for the value of a dimension. */
const MAX_VALUE_LENGTH = 200;
const MAX_FIELD_LENGTH = 64;
const MAX_TITLE_LENGTH = 300;
const MAX_WORDS_LENGTH = 100;
const MAX_KEYWORDS = 30;
const MAX_MEMBERS = 5_000;
const FREQUENCIES: readonly EconomicFrequency[] = ['1D', '1W-MON', '1ME', '1QE', '1YE'];

/** Converts an entry of a provider to a row; returns null if its id cannot be used. */
export function toSeriesRow(entry: ListedEntry): SeriesRow | null {
  const { seriesId, frequency, span, hasMembers = false } = entry;
  if (!isCode(seriesId, MAX_ID_LENGTH)) return null;
  const title = cleanText(entry.title, MAX_TITLE_LENGTH) || seriesId;
  const given = entry.keywords.slice(0, MAX_KEYWORDS).map((keyword) => cleanText(keyword, MAX_WORDS_LENGTH));
  const keywords = new Set([...given, ...findTopicWords(title)]);
  keywords.delete('');
  const hasSpan = span !== null && isInRange(span.first) && isInRange(span.last) && span.first <= span.last;
  const updatedAt = entry.lastUpdate === null ? Number.NaN : Date.parse(entry.lastUpdate);
  return {
    series_id: seriesId,
    title,
    keywords: [...keywords],
    frequency: frequency !== null && FREQUENCIES.includes(frequency) ? frequency : null,
    units: cleanText(entry.units, MAX_WORDS_LENGTH),
    first_at: hasSpan ? Math.floor(span.first) : null,
    last_at: hasSpan ? Math.floor(span.last) : null,
    updated_at: isInRange(updatedAt) ? updatedAt : null,
    has_members: hasMembers,
  };
}

/** Returns a dimension without members that cannot be used. */
export function cleanMembers({ field, label, values }: Dimension): Dimension {
  const labels = new Map<string, string>();
  for (const one of values.slice(0, MAX_MEMBERS)) {
    if (!isCode(one.value, MAX_VALUE_LENGTH) || labels.has(one.value)) continue;
    labels.set(one.value, cleanText(one.label, MAX_WORDS_LENGTH) || one.value);
  }
  return {
    field: cleanText(field, MAX_FIELD_LENGTH),
    label: cleanText(label, MAX_WORDS_LENGTH),
    values: Array.from(labels, ([value, label]) => ({ value, label })),
  };
}

/** Returns whether two rows of one series are the same in the list of the search, which has no last update. */
export function isListedAlike(a: SeriesRow, b: SeriesRow): boolean {
  return (
    a.title === b.title &&
    a.frequency === b.frequency &&
    a.units === b.units &&
    a.first_at === b.first_at &&
    a.last_at === b.last_at &&
    a.has_members === b.has_members &&
    a.keywords.length === b.keywords.length &&
    a.keywords.every((keyword, i) => keyword === b.keywords[i])
  );
}

function isCode(text: string, maxLength: number): boolean {
  return text.length <= maxLength && CODE.test(text);
}

function isInRange(instant: number): boolean {
  return instant >= EARLIEST_INSTANT && instant <= LATEST_INSTANT;
}
