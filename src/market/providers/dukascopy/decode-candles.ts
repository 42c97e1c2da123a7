import { isRecord } from '../../../platform/index.ts';
import type { RawBar } from '../provider.ts';
import type { CandleFile } from './candle-files.ts';

/** What a reply must contain. */
export interface ExpectedCandles {
  readonly file: CandleFile;
  readonly code: string;
  /** The milliseconds of one candle. */
  readonly shift: number;
  /** Whether the period of the file has not ended. Such a reply may have candles after the file if it ends meanwhile. */
  readonly isCurrent: boolean;
}

const PRICES = ['open', 'high', 'low', 'close'] as const;
const MAX_DECIMALS = 10;

/**
 * Returns the candles of a reply, oldest first; null if the reply is not a file of the expected candles.
 *
 * Times and prices are differences to the candle before. A time that is more than one step later is a gap, and no bar is
 * invented for it. A candle without a change of price and without volume marks closed hours and is left out.
 */
export function decodeCandles(reply: unknown, { file, code, shift, isCurrent }: ExpectedCandles): RawBar[] | null {
  if (!isRecord(reply)) return null;
  // Replies of the feed do not name their instrument. If one does, it must be the right one.
  if (reply.code !== undefined && reply.code !== code) return null;
  if (reply.timestamp !== file.start || reply.shift !== shift) return null;
  const { times, volumes } = reply;
  const { opens, highs, lows, closes } = reply;
  if (!isIntegers(times) || !isIntegers(opens) || !isIntegers(highs) || !isIntegers(lows) || !isIntegers(closes)) {
    return null;
  }
  if (!isNumbers(volumes)) return null;
  const { length } = times;
  if ([opens, highs, lows, closes, volumes].some((column) => column.length !== length)) return null;
  const scale = readScale(reply.multiplier);
  if (scale === null) return null;
  if (length === 0) return PRICES.every((name) => reply[name] === null || isNumber(reply[name])) ? [] : null;
  if (!isNumber(reply.open) || !isNumber(reply.high) || !isNumber(reply.low) || !isNumber(reply.close)) return null;
  let open = Math.round(reply.open * scale);
  let high = Math.round(reply.high * scale);
  let low = Math.round(reply.low * scale);
  let close = Math.round(reply.close * scale);
  let timestamp = file.start;
  const bars: RawBar[] = [];
  for (let row = 0; row < length; row++) {
    const steps = times[row] as number;
    if (steps < (row === 0 ? 0 : 1)) return null;
    timestamp += steps * shift;
    if (timestamp >= file.end) return isCurrent ? bars : null;
    open += opens[row] as number;
    high += highs[row] as number;
    low += lows[row] as number;
    close += closes[row] as number;
    if (![open, high, low, close].every(Number.isSafeInteger)) return null;
    const volume = volumes[row] as number;
    const isFiller = volume === 0 && open === high && high === low && low === close;
    if (isFiller) continue;
    // The quotient of two integers is the double nearest to the decimal price; a product with 1e-5 is not.
    bars.push({ timestamp, open: open / scale, high: high / scale, low: low / scale, close: close / scale, volume });
  }
  return bars;
}

/** Returns 100000 for the multiplier 0.00001; null unless the multiplier is a negative power of ten. */
function readScale(multiplier: unknown): number | null {
  if (!isNumber(multiplier) || multiplier <= 0) return null;
  const scale = 10 ** Math.round(-Math.log10(multiplier));
  const isPower = scale >= 1 && scale <= 10 ** MAX_DECIMALS && 1 / scale === multiplier;
  return isPower ? scale : null;
}

function isIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
