/** A time of day after a date, if there is one, with or without an offset: 9:30, 16:00:00.5Z, 4:05 PM. */
export const CLOCK =
  '(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?: ?([AaPp])\\.?[Mm]\\.?)? ?(Z|[+-]\\d{2}(?::?\\d{2})?)?)?';

const MINUTE = 60_000;

/**
 * Milliseconds from midnight UTC to a time of day; null where there is none such.
 *
 * @param parts what the groups of `CLOCK` have found
 */
export function timeOfDay([hour = '0', minute = '0', second = '0', fraction = '', half, offset]: readonly (
  | string
  | undefined
)[]): number | null {
  const hours = half === undefined ? Number(hour) : hoursOf(Number(hour), half);
  const east = offsetOf(offset);
  if (hours === null || hours > 23 || Number(minute) > 59 || Number(second) > 59 || east === null) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return (hours * 60 + Number(minute) - east) * MINUTE + Number(second) * 1_000 + milliseconds;
}

/** The day has two halves of twelve hours, each of which begins with 12. */
function hoursOf(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** Minutes east of Greenwich. */
function offsetOf(offset = 'Z'): number | null {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))];
  if (hours > 14 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const OFFSET_AT_END = /:\d{2}.*?([+-]\d{2}(?::?\d{2})?)$/;

/**
 * Minutes that the clock of a cell is ahead of UTC; 0 where it names no offset.
 *
 * @param cell that is a time
 * @example offsetIn('2024-01-01T00:00+05:30') // 330
 */
export function offsetIn(cell: string): number {
  // Most cells are dates.
  if (!cell.includes(':')) return 0;
  return offsetOf(OFFSET_AT_END.exec(cell)?.[1]) ?? 0;
}
