const DAY = 86_400_000;

/** Midnight UTC of a day; null where there is no such day, 30 February included, or none of the years 1800 to 2200. */
export function dayOf(year: number, month: number, day: number): number | null {
  // The years 0 to 99 would be taken for those of the last century.
  if (year < 1800 || year > 2200 || month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return null;
  return Date.UTC(year, month - 1, day);
}

/** The last day of a month; null where there is no such month. */
export function monthEnd(year: number, month: number): number | null {
  return month < 1 || month > 12 ? null : dayOf(year, month, lastDay(year, month));
}

/** The Monday of a week as ISO 8601 counts them: the first one has 4 January in it. Null: the year has no such week. */
export function mondayOf(year: number, week: number): number | null {
  const fourth = dayOf(year, 1, 4);
  if (fourth === null || week < 1) return null;
  const sinceMonday = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((week - 1) * 7 - sinceMonday) * DAY;
  // A week belongs to the year of its Thursday.
  return new Date(monday + 3 * DAY).getUTCFullYear() === year ? monday : null;
}

function lastDay(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
