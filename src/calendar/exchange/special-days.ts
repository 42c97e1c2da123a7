import { dateOf } from './weekdays.ts';

/**
 * Days since 1990 on which the exchange was closed although its rules did not require it. To add a closure, add a line.
 */
export const SPECIAL_CLOSURES: ReadonlySet<number> = new Set([
  dateOf(1994, 4, 27), // funeral of Richard Nixon
  dateOf(2001, 9, 11), // attack on the World Trade Center
  dateOf(2001, 9, 12),
  dateOf(2001, 9, 13),
  dateOf(2001, 9, 14),
  dateOf(2004, 6, 11), // day of mourning for Ronald Reagan
  dateOf(2007, 1, 2), // day of mourning for Gerald Ford
  dateOf(2012, 10, 29), // Hurricane Sandy
  dateOf(2012, 10, 30),
  dateOf(2018, 12, 5), // day of mourning for George H. W. Bush
  dateOf(2025, 1, 9), // day of mourning for Jimmy Carter
]);

/** Hours that differ from the rules, in minutes after midnight in New York. */
export interface SpecialHours {
  readonly open?: number;
  readonly close?: number;
}

/**
 * Days whose regular hours were shortened although the rules did not require it. Interruptions of less than five
 * minutes, such as moments of silence, and halts within a day are omitted.
 */
export const SPECIAL_HOURS: ReadonlyMap<number, SpecialHours> = new Map<number, SpecialHours>([
  [dateOf(1990, 12, 27), { open: 11 * 60 }], // power failure
  [dateOf(1994, 2, 11), { close: 14 * 60 + 30 }], // snow
  [dateOf(1995, 12, 18), { open: 10 * 60 + 30 }], // computer failure
  [dateOf(1996, 1, 8), { open: 11 * 60, close: 14 * 60 }], // snow
  [dateOf(1997, 10, 27), { close: 15 * 60 + 30 }], // circuit breaker
  [dateOf(1997, 12, 26), { close: 13 * 60 }], // Friday after Christmas
  [dateOf(1999, 12, 31), { close: 13 * 60 }], // New Year's Eve 1999
  [dateOf(2002, 9, 11), { open: 12 * 60 }], // anniversary of the attack
  [dateOf(2003, 12, 26), { close: 13 * 60 }], // Friday after Christmas
]);
