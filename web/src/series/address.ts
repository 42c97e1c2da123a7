import type { Rows, SeriesData, Span } from './page.ts';

const MINUTE_MS = 60_000;

/** Returns the parameters that choose a range: dates, or instants for rows within a day. Empty: from the first, to the last. */
export function rangeParams({ isIntraday }: SeriesData, { timestamps }: Rows, { from, to }: Span) {
  const last = timestamps.length - 1;
  const [first, end] = [Math.max(0, Math.ceil(from - 0.01)), Math.min(last, Math.floor(to + 0.01))];
  const text = (time: number): string =>
    isIntraday ? `${new Date(time).toISOString().slice(0, 16)}Z` : new Date(time).toISOString().slice(0, 10);
  return {
    from: first <= 0 ? '' : text(timestamps[first] ?? 0),
    // The end of a range of instants is exclusive, a date includes its day.
    to: end >= last ? '' : text((timestamps[end] ?? 0) + (isIntraday ? MINUTE_MS : 0)),
  };
}

/** Writes choices into the address of the page, and into its form, so that both show what the chart shows. */
export function writeChoices(choices: Readonly<Record<string, string>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(choices)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    const field = document.querySelector<HTMLInputElement>(`[data-choices] [name="${name}"]`);
    if (field !== null) field.value = field.type === 'date' ? value.slice(0, 10) : value;
  }
  if (url.href !== location.href) history.replaceState(history.state, '', url);
}

/** Returns the positions of the range that an address chooses. */
export function spanOf({ from, to }: Pick<SeriesData, 'from' | 'to'>, { timestamps }: Rows): Span {
  const last = timestamps.length - 1;
  const start = from === null ? 0 : timestamps.findIndex((time) => time >= from);
  const end = to === null ? -1 : timestamps.findIndex((time) => time >= to);
  const span = { from: start < 0 ? 0 : start, to: end < 0 ? last : Math.max(0, end - 1) };
  return span.to > span.from ? span : { from: 0, to: last };
}
