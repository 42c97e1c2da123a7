const DAY = 86_400_000;
const MINUTE = 60_000;
const ZERO = 0x30;
/** `2024-01-31T09:30:00.000Z` */
export const INSTANT_BYTES = 24;

/**
 * Writes instants as ISO 8601 into a buffer. Date and time of day are kept from one row to the next and written anew
 * only as far as they have changed.
 */
export function instantWriter(): (into: Buffer, at: number, time: number) => void {
  let day = Number.NaN;
  let minute = Number.NaN;
  const text = Buffer.from('0000-00-00T00:00:00.000Z');
  const twoDigits = (at: number, value: number): void => {
    const tens = Math.floor(value / 10);
    text[at] = ZERO + tens;
    text[at + 1] = ZERO + value - 10 * tens;
  };
  return (into, at, time) => {
    const today = Math.floor(time / DAY);
    if (today !== day) {
      day = today;
      text.write(new Date(today * DAY).toISOString().slice(0, 11), 'latin1');
    }
    const thisMinute = Math.floor((time - today * DAY) / MINUTE);
    if (thisMinute !== minute) {
      minute = thisMinute;
      const hour = Math.floor(thisMinute / 60);
      twoDigits(11, hour);
      twoDigits(14, thisMinute - 60 * hour);
    }
    const rest = time - today * DAY - thisMinute * MINUTE;
    const seconds = Math.floor(rest / 1000);
    twoDigits(17, seconds);
    const hundredths = Math.floor((rest - 1000 * seconds) / 10);
    twoDigits(20, hundredths);
    text[22] = ZERO + (rest - 1000 * seconds - 10 * hundredths);
    for (let i = 0; i < INSTANT_BYTES; i++) into[at + i] = text[i] as number;
  };
}
