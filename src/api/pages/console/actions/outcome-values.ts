import { periodOf } from '../../../../calendar/index.ts';
import { cadenceOf } from '../../forecast/known-rows.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { findReadings, readNumber } from '../../read-number.ts';
import type { Forecast } from './action-visit.ts';
import { formatStep } from './question-form.ts';

const DAY_MS = 86_400_000;

/** A period whose actual value can be entered. */
export interface OpenPeriod {
  readonly step: number;
  readonly timestamp: string;
  /** How the visitor knows the period. */
  readonly label: string;
  /** When its value is final, in milliseconds since 1970. */
  readonly finalAt: number;
}

/** Returns all periods of a forecast, by the same rule as the operation that records their values. */
export function periodsOf(forecast: Forecast): OpenPeriod[] {
  const { predictions, settings } = forecast;
  const settling = (settings.settle_days ?? 0) * DAY_MS;
  return predictions.map(({ timestamp }, index) => ({
    step: index + 1,
    timestamp,
    label: formatStep(forecast, index + 1),
    finalAt: periodOf(cadenceOf(settings), Date.parse(timestamp)).until + settling,
  }));
}

/** Returns the date of a period as a line of the list names it. @example 2026-03-05 */
export function writeDate({ timestamp }: Pick<OpenPeriod, 'timestamp'>): string {
  const iso = new Date(timestamp).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.replace('.000Z', 'Z');
}

/**
 * Reads a value with a decimal point or a decimal comma. A recorded value is never changed, so a text with two possible
 * meanings is refused instead of guessed.
 *
 * @returns the number, or what is wrong with the text
 */
export function readActual(text: string): number | string {
  return findReadings(text)?.advice ?? readNumber(text) ?? 'enter a number, such as 120.5 or 120,5.';
}

/** A value that was entered for a period, and the field that it was entered in. */
export interface EnteredValue {
  readonly period: OpenPeriod;
  readonly field: string;
  readonly value: number;
}

export interface EnteredValues {
  readonly values: readonly EnteredValue[];
  readonly errors: FieldErrors;
}

/** The field for several lines. */
export const LINES = 'lines';

export const fieldOf = ({ step }: Pick<OpenPeriod, 'step'>): string => `value_${step}`;

/** Reads the fields of all periods and the list. Empty ones are left out. */
export function readValues(form: unknown, periods: readonly OpenPeriod[]): EnteredValues {
  const values: EnteredValue[] = [];
  const errors: Record<string, string> = {};
  for (const period of periods) {
    const field = fieldOf(period);
    const text = readField(form, field) ?? '';
    if (text.trim() === '') continue;
    const value = readActual(text);
    if (typeof value === 'string') errors[field] = `${period.label}: ${value}`;
    else values.push({ period, field, value });
  }
  const error = readLines(readField(form, LINES) ?? '', periods, values);
  if (error !== null) errors[LINES] = error;
  return { values, errors };
}

/** Adds the values of a list with a date and a value on each line. @returns the first problem */
function readLines(text: string, periods: readonly OpenPeriod[], values: EnteredValue[]): string | null {
  const byDate = new Map(periods.map((period) => [writeDate(period), period]));
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [date = '', entered, ...more] = line.split(/[;\t]/).map((part) => part.trim());
    if (date === '' && !entered) continue;
    const place = `Line ${index + 1}:`;
    if (entered === undefined || more.length > 0) return `${place} write a date, a semicolon and a value.`;
    const period = byDate.get(date);
    if (period === undefined) return `${place} the forecast has no period with the date ${date.slice(0, 40)}.`;
    if (entered === '') continue;
    const value = readActual(entered);
    if (typeof value === 'string') return `${place} ${value}`;
    if (values.some((one) => one.period === period)) return `${place} ${date} has a value already. Enter it once.`;
    values.push({ period, field: LINES, value });
  }
  return null;
}
