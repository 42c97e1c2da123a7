import type { ListedSeries } from '../../snapshots/index.ts';
import type { Members } from './member-words.ts';
import { MAX_QUERY_LETTERS } from './parse-query.ts';
import { foldText, splitChunks } from './text-words.ts';

/** Bounds the work for a query of many words. */
const MAX_WORDS = 64;
/** The number of words of the longest label that is found in a query. */
const MAX_LABEL_WORDS = 16;
const CODE = /^\p{Lu}{3,}$/u;
const WORD = /[\p{L}\p{N}]+/gu;

type Member = Members['values'][number];

/** Consecutive words of a query. */
interface Run {
  /** The position of the first word. */
  readonly from: number;
  /** The position after the last word. */
  readonly to: number;
  /** The words with spaces between them. */
  readonly text: string;
}

interface QueryRuns {
  readonly byWords: readonly Run[];
  /** By their words without spaces, because a name such as "worldbank" may be written in two words. */
  readonly byLetters: ReadonlyMap<string, readonly Run[]>;
  /** Single words that the query has in capital letters, as it spells them. */
  readonly codes: readonly Run[];
}

/** A run of words that names a member; several members if they have the same name. */
interface NamedMember extends Run {
  readonly members: readonly Member[];
}

/** The members by the words of their label, and by their value. */
interface MemberNames {
  readonly byLabel: ReadonlyMap<string, readonly Member[]>;
  readonly byCode: ReadonlyMap<string, readonly Member[]>;
}

/** Returns a series with the chosen value of its dimension if the query names one member of the dimension. */
type PresetMember = (entry: ListedSeries) => ListedSeries;

/**
 * Creates a function that returns, for a query, how the results are changed: "unemployment france" leads directly to
 * the rows of France of a series that has all countries.
 */
export function createMemberPreset(): (query: string) => PresetMember {
  const namesOf = new WeakMap<Members, MemberNames>();

  function readNames(members: Members): MemberNames {
    const names = namesOf.get(members) ?? collectNames(members);
    namesOf.set(members, names);
    return names;
  }

  return (query) => {
    const named = new Map<Members, readonly NamedMember[]>();
    let runs: QueryRuns | undefined;
    return (entry) => {
      const { members, source, title } = entry;
      if (members === undefined || source.type !== 'economic_series') return entry;
      if (source.dimensions !== undefined && Object.hasOwn(source.dimensions, members.field)) return entry;
      runs ??= listRuns(query.slice(0, MAX_QUERY_LETTERS));
      const found = named.get(members) ?? findNamed(runs, readNames(members));
      named.set(members, found);
      const member = chooseMember(found, runs, entry);
      if (member === null) return entry;
      const dimensions = { ...source.dimensions, [members.field]: member.value };
      // Not a copy of the entry, whose fields may be derived by its class.
      const { keywords, provider, frequency, span, units } = entry;
      return {
        source: { ...source, dimensions },
        title: `${title} – ${member.label}`,
        keywords,
        provider,
        frequency,
        span,
        units,
        members,
      };
    };
  };
}

function listRuns(query: string): QueryRuns {
  const words = splitChunks(query).flat().slice(0, MAX_WORDS);
  const byWords: Run[] = [];
  const byLetters = new Map<string, Run[]>();
  for (let from = 0; from < words.length; from++) {
    const end = Math.min(words.length, from + MAX_LABEL_WORDS);
    for (let to = from + 1; to <= end; to++) {
      const run = { from, to, text: words.slice(from, to).join(' ') };
      byWords.push(run);
      addTo(byLetters, words.slice(from, to).join(''), run);
    }
  }
  const codes = [...query.matchAll(WORD)].flatMap(([word]) => {
    const from = CODE.test(word) ? words.indexOf(foldText(word)) : -1;
    return from < 0 ? [] : [{ from, to: from + 1, text: word }];
  });
  return { byWords, byLetters, codes };
}

function addTo<Item>(lists: Map<string, Item[]>, name: string, item: Item): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}

function collectNames({ values }: Members): MemberNames {
  const byLabel = new Map<string, Member[]>();
  const byCode = new Map<string, Member[]>();
  for (const member of values) {
    addTo(byLabel, splitChunks(member.label).flat().join(' '), member);
    addTo(byCode, member.value, member);
  }
  return { byLabel, byCode };
}

/** Returns the runs that are a complete label or a code. */
function findNamed({ byWords, codes }: QueryRuns, { byLabel, byCode }: MemberNames): NamedMember[] {
  const find = (names: MemberNames[keyof MemberNames], run: Run): NamedMember[] => {
    const members = names.get(run.text);
    return members ? [{ ...run, members }] : [];
  };
  return [...byWords.flatMap((run) => find(byLabel, run)), ...codes.flatMap((run) => find(byCode, run))];
}

/** Returns the only member that the query names for this entry; null if it names several members or none. */
function chooseMember(named: readonly NamedMember[], { byLetters }: QueryRuns, entry: ListedSeries): Member | null {
  if (named.length === 0) return null;
  // "South Sudan" does not name Sudan, and "World Bank", a name of the provider, does not name the world.
  const ownNames = [entry.provider, ...entry.keywords].map((name) => splitChunks(name).flat().join(''));
  const longer = [...named, ...ownNames.flatMap((name) => byLetters.get(name) ?? [])];
  const title = ` ${splitChunks(entry.title).flat().join(' ')} `;
  const chosen = new Set<Member>();
  for (const run of named) {
    if (longer.some((other) => isLonger(other, run) && other.from < run.to && run.from < other.to)) continue;
    // The series "Exports to the Arab World" has rows of every country, and no word of the query selects one.
    if (title.includes(` ${foldText(run.text)} `)) continue;
    for (const member of run.members) chosen.add(member);
  }
  const [member] = chosen;
  return member !== undefined && chosen.size === 1 ? member : null;
}

function isLonger(a: Run, b: Run): boolean {
  return a.to - a.from > b.to - b.from;
}
