import type { Random } from '../platform/seeded-random.ts';
import { canonicalText } from './second-verifier.ts';

const CHARACTERS = '0123456789abcdefABCDEF"{}[]:,.- \\xné\u0000';

/** Returns a text with another character at one place. */
export function replaceAt(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}

/** Replaces, removes, inserts or swaps a few characters at random places. */
export function alterAtRandom(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const length = 1 + Math.floor(random() * 3);
  const inserted = Array.from({ length }, () => CHARACTERS[Math.floor(random() * CHARACTERS.length)]).join('');
  const changes = [
    () => replaceAt(text, at, inserted[0] ?? ''),
    () => text.slice(0, at) + text.slice(at + length),
    () => text.slice(0, at) + inserted + text.slice(at),
    () =>
      text.slice(0, at) +
      text
        .slice(at, at + 2)
        .split('')
        .reverse()
        .join('') +
      text.slice(at + 2),
  ];
  return changes[Math.floor(random() * changes.length)]?.() ?? text;
}

/** Returns whether both texts are JSON with the same content, so that an alteration changes nothing. */
export function isSameJson(text: string, altered: string): boolean {
  try {
    return canonicalText(JSON.parse(text)) === canonicalText(JSON.parse(altered));
  } catch {
    return false;
  }
}
