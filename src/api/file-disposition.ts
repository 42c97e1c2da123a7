/** What no file name has on any system, and what would show it as another one than it is. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"*/:<>?\\|]/gu;

/**
 * Tells a browser to keep the answer as a file: by an ASCII name for old clients, and by the whole one (RFC 8187) where
 * that says more.
 *
 * @param ascii letters, digits, dots and dashes
 * @example fileDisposition('bersicht.csv', 'Übersicht.csv') // … filename="bersicht.csv"; filename*=UTF-8''%C3%9Cbersicht.csv
 */
export function fileDisposition(ascii: string, whole: string = ascii): string {
  // A dot before everything hides a file.
  const name = whole
    .toWellFormed()
    .replace(UNFIT, '_')
    .replace(/^[.\s]+/, '')
    .trimEnd();
  const plain = `attachment; filename="${ascii}"`;
  return name === '' || name === ascii ? plain : `${plain}; filename*=UTF-8''${encoded(name)}`;
}

/** `encodeURIComponent` leaves some signs that a value of RFC 8187 may not have. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
