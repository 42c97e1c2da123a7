const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that XML does not allow, and the ones that change the direction or the place of the text around them:
 * a title could otherwise look like another title.
 */
const UNWANTED = /[\p{Cc}\p{Cs}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]+/gu;

/** Returns a text as one line that XML can contain, cut to a number of characters. */
export function cleanLine(text: string, maxLength: number): string {
  // A text of any size costs little, because only its beginning is read.
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(UNWANTED, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Escapes text for use in XML, between tags or in quoted attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Estimates the width of a text in pixels. Fonts differ, so the estimate is a little more than most need. */
export function estimateWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += estimateCharacter(character);
  return ems * fontSize;
}

function estimateCharacter(character: string): number {
  if (character > '\u2e7f') return 1;
  if (/[ .,:;'|!ijltfIr()[\]]/.test(character)) return 0.34;
  if (/[mwMW@%—\u2212]/.test(character)) return 0.9;
  return /[A-Z&\u00c0-\u00de\u0400-\u042f]/.test(character) ? 0.7 : 0.6;
}

/** Cuts a text so that it is not wider than a number of pixels. */
export function cutToWidth(text: string, width: number, fontSize: number): string {
  if (estimateWidth(text, fontSize) <= width) return text;
  let used = fontSize;
  let kept = '';
  for (const character of text) {
    used += estimateCharacter(character) * fontSize;
    if (used > width) break;
    kept += character;
  }
  return kept === '' ? '' : `${kept.trimEnd()}…`;
}

/** Breaks a text into at most two lines, at a space if there is one. The second line is cut. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  if (text === '') return [];
  if (estimateWidth(text, fontSize) <= width) return [text];
  const words = text.split(' ');
  let count = words.length - 1;
  while (count > 0 && estimateWidth(words.slice(0, count).join(' '), fontSize) > width) count -= 1;
  if (count === 0) return [cutToWidth(text, width, fontSize)];
  return [words.slice(0, count).join(' '), cutToWidth(words.slice(count).join(' '), width, fontSize)];
}
