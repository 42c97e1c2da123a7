import { isRecord, malformed } from '../../../platform/index.ts';
import type { EconomicFrequency } from '../provider.ts';
import { readText, requestRows, WORLDBANK, type WorldBankSession } from './worldbank-reply.ts';

/** An indicator, such as the gross domestic product, of all countries. */
export interface Indicator {
  readonly id: string;
  readonly name: string;
  readonly units: string;
  /** The name of the collection that contains the indicator. */
  readonly source: string;
  readonly organization: string;
  readonly note: string;
  readonly topics: readonly string[];
}

const MAX_ID = 256;
const MAX_NAME = 500;
const MAX_SOURCE = 200;
const MAX_NOTE = 2_000;
const MAX_TOPICS = 20;

/** Returns whether a text can be the id of an indicator. `all` would name every indicator. */
export function isIndicatorId(text: string): boolean {
  return text.length <= MAX_ID && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) && text.toLowerCase() !== 'all';
}

/** Requests an indicator. Returns null if there is none with this id. */
export async function requestIndicator(session: WorldBankSession, id: string): Promise<Indicator | null> {
  const reply = await requestRows(session, `/indicator/${id}`, {}, (row) => {
    checkIndicatorId(row.id, id);
    return readIndicator(row);
  });
  // An indicator of several sources may be listed once for each.
  const [indicator] = reply?.rows ?? [];
  return indicator === undefined || indicator.id !== id ? null : indicator;
}

/**
 * Throws unless a reply is about the requested indicator. The World Bank ignores the case of an id: such a reply is
 * correct, although the id is another one here.
 */
export function checkIndicatorId(stated: unknown, requested: string): void {
  const isRequested = typeof stated === 'string' && stated.toLowerCase() === requested.toLowerCase();
  if (!isRequested) throw malformed(WORLDBANK, 'another indicator');
}

/** Reads an indicator of a list. */
export function readIndicator(row: Readonly<Record<string, unknown>>): Indicator {
  const { id, source, topics } = row;
  if (typeof id !== 'string') throw malformed(WORLDBANK, 'the id of an indicator');
  const name = readText(row.name, MAX_NAME);
  const listed = Array.isArray(topics) ? topics.slice(0, MAX_TOPICS) : [];
  return {
    id,
    name: name === '' ? id.slice(0, MAX_NAME) : name,
    units: readText(row.unit, MAX_SOURCE) || unitsInName(name),
    source: isRecord(source) ? readText(source.value, MAX_SOURCE) : '',
    organization: readText(firstLine(row.sourceOrganization), MAX_SOURCE),
    note: readText(row.sourceNote, MAX_NOTE),
    topics: listed
      .map((topic) => (isRecord(topic) ? readText(topic.value, MAX_SOURCE) : ''))
      .filter((topic) => topic !== ''),
  };
}

function firstLine(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().split(/[\r\n]/, 1)[0] : value;
}

/**
 * Returns the units that the name of an indicator ends with in parentheses; empty if it does not. A parenthesis with
 * the origin of an estimate follows the units.
 *
 * @example unitsInName('Unemployment, total (% of total labor force) (national estimate)') // '% of total labor force'
 */
export function unitsInName(name: string): string {
  const last = lastParenthesis(name);
  if (last === null) return '';
  const text = name.slice(last + 1, -1).trim();
  if (!/\bestimate$/.test(text)) return text;
  return unitsInName(name.slice(0, last).trimEnd());
}

/** Returns the position of the parenthesis that opens the one at the end of a name. */
function lastParenthesis(name: string): number | null {
  if (!name.endsWith(')')) return null;
  let depth = 0;
  for (let i = name.length - 1; i >= 0; i--) {
    if (name[i] === ')') depth += 1;
    else if (name[i] === '(') depth -= 1;
    if (depth === 0) return i;
  }
  return null;
}

/** Returns the frequency of the indicators of a source: the World Bank states it only in the dates of the rows. */
export function frequencyOfSource(source: string): EconomicFrequency {
  return source.startsWith('Quarterly ') ? '1QE' : '1YE';
}
