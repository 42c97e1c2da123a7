import type { SeriesKind } from '../../calendar/index.ts';
import type { DroppedRows, DropReason } from '../bars.ts';
import { checkBars } from '../check-bars.ts';
import type { PageQuery, RawBar } from '../providers/provider.ts';

/**
 * The number of rows with one timestamp that were dropped for one reason, and when they were read; null for rows that a
 * correct reply can have, such as those of a closed day.
 */
export type LocatedDrop = readonly [timestamp: number, reason: DropReason, rows: number, readAt: number | null];

/** Reasons that depend on the request rather than on the series, so they are not stored. */
const OF_THE_REQUEST: readonly DropReason[] = ['not_completed', 'outside_the_request'];

/** A longer list is stored with one entry for each reason. */
const MAX_ENTRIES = 500;

/** Returns whether rows were dropped for a reason that the store keeps. */
export function hasDrops(dropped: DroppedRows): boolean {
  return Object.keys(dropped).some((reason) => !OF_THE_REQUEST.includes(reason as DropReason));
}

/**
 * Returns the dropped rows of a query by timestamp. A row whose timestamp is not within the query, such as a text,
 * belongs to the end of the query.
 */
export function locateDrops(
  rows: readonly RawBar[],
  query: PageQuery,
  at: number,
  kind: SeriesKind,
): readonly LocatedDrop[] {
  const session = query.frequency === '1D' ? 'regular' : 'extended';
  const isWithin = (time: unknown): time is number =>
    typeof time === 'number' && time >= (query.start ?? Number.NEGATIVE_INFINITY) && time < query.end;
  const located = new Map<string, LocatedDrop>();
  checkBars(rows, { ...query, session }, at, kind, ({ timestamp, reason, rows: count, isInvalid }) => {
    if (OF_THE_REQUEST.includes(reason)) return;
    const time = isWithin(timestamp) ? timestamp : query.end - 1;
    const id = `${time} ${reason} ${isInvalid}`;
    located.set(id, [time, reason, count + (located.get(id)?.[2] ?? 0), isInvalid ? at : null]);
  });
  return [...located.values()].sort(([a], [b]) => a - b);
}

/** Returns a list of bounded length with the same numbers of rows. */
export function boundDrops(drops: readonly LocatedDrop[]): readonly LocatedDrop[] {
  if (drops.length <= MAX_ENTRIES) return drops;
  const latest = drops.at(-1)?.[0] ?? 0;
  return [...Map.groupBy(drops, ([, reason]) => reason)].map(([reason, same]) => {
    const rows = same.reduce((sum, drop) => sum + drop[2], 0);
    const readAt = same.map((drop) => drop[3]).filter((instant) => instant !== null);
    return [latest, reason, rows, readAt.length === 0 ? null : readAt.reduce((a, b) => Math.min(a, b))];
  });
}

/** Returns the number of dropped rows by reason. */
export function countDrops(drops: Iterable<LocatedDrop>): DroppedRows {
  const counts: Partial<Record<DropReason, number>> = {};
  for (const [, reason, rows] of drops) counts[reason] = (counts[reason] ?? 0) + rows;
  return counts;
}
