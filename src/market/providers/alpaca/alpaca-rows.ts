import { malformed } from '../../../platform/index.ts';
import type { RawBar } from '../provider.ts';
import { sessionDateOf } from '../stocks/bar-range.ts';
import { ALPACA } from './alpaca-session.ts';

/** Reads the rows of a reply. Alpaca sends null if there are none. */
export function readRows(rows: unknown, isDaily: boolean): RawBar[] {
  if (rows === null || rows === undefined) return [];
  if (!Array.isArray(rows)) throw malformed(ALPACA, 'not a list');
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw malformed(ALPACA, 'not a row');
    const { t, o, h, l, c, v } = row as Record<string, unknown>;
    const instant = readInstant(t);
    return { timestamp: isDaily ? sessionDateOf(instant) : instant, open: o, high: h, low: l, close: c, volume: v };
  });
}

const INSTANT_LENGTH = '2024-01-02T05:00:00Z'.length;
const DATE_LENGTH = '2024-01-02'.length;

/** Rows that follow each other are mostly of one date, and a date takes much longer to read than a time. */
let latest = { text: '', midnight: Number.NaN };

/** Returns NaN for anything but an existing instant: Date.parse reads February 30 as March 1, which would move the row. */
function readInstant(text: unknown): number {
  if (typeof text !== 'string' || text.length !== INSTANT_LENGTH) return Number.NaN;
  if (text[10] !== 'T' || text[13] !== ':' || text[16] !== ':' || text[19] !== 'Z') return Number.NaN;
  if (!text.startsWith(latest.text) || latest.text === '') {
    const date = text.slice(0, DATE_LENGTH);
    latest = { text: date, midnight: readDate(date) };
  }
  const [hours, minutes, seconds] = [readTwoDigits(text, 11), readTwoDigits(text, 14), readTwoDigits(text, 17)];
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN;
  return latest.midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}

function readDate(text: string): number {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) return Number.NaN;
  return new Date(instant).getUTCDate() === readTwoDigits(text, 8) ? instant : Number.NaN;
}

/** Returns the number that two characters write; NaN if they are not digits. */
function readTwoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  const isNumber = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return isNumber ? tens * 10 + ones : Number.NaN;
}
