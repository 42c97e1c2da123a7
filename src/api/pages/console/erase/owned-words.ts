import type { Operations, Output } from '../../../../contract/index.ts';
import { formatInteger } from '../../format.ts';

/** What an account owns, as the operation lists it. */
export type Erasure = Output<Operations['readErasure']>;

export type Kind = keyof Erasure['removed'];

/** The kinds in the order in which pages list them, each in the singular and the plural. */
const KINDS: Readonly<Record<Kind, readonly [one: string, several: string]>> = {
  forecasts: ['forecast', 'forecasts'],
  events: ['question', 'questions'],
  csv_files: ['file', 'files'],
  workspaces: ['workspace', 'workspaces'],
  filters: ['screener filter', 'screener filters'],
  feeds: ['feed', 'feeds'],
  webhooks: ['webhook', 'webhooks'],
  api_keys: ['API key', 'API keys'],
  applications: ['connected application', 'connected applications'],
};

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** @example formatOwned('events', 2) // 2 questions */
export function formatOwned(kind: Kind, count: number): string {
  const [one, several] = KINDS[kind];
  return `${formatInteger(count)} ${count === 1 ? one : several}`;
}

/** Returns parts of a sentence as a list. @example joinWords(['a', 'b', 'c']) // a, b and c */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
