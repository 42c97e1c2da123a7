import { isRecord } from '../../../platform/index.ts';
import type { ListedInstrument } from '../provider.ts';
import { BUNDLED_PAIRS, splitCode } from './instruments.ts';

interface Group {
  readonly id: number;
  readonly code: string;
  readonly parentId: number | null;
}

interface Entry {
  readonly name: string;
  readonly code: string;
  readonly description: string | null;
  readonly groupId: number | null;
  readonly platformGroupId: string | null;
}

type PairClass = 'pair' | 'metal' | 'coin';

/**
 * Returns the currency pairs, metals and coins of the feed's listing; null if the listing has another shape or lacks
 * one of the three.
 */
export function parseListing(reply: unknown): ListedInstrument[] | null {
  if (!isRecord(reply) || !Array.isArray(reply.instruments) || !Array.isArray(reply.groups)) return null;
  if (!reply.instruments.every(isEntry) || !reply.groups.every(isGroup)) return null;
  const groups = new Map(reply.groups.map((group) => [group.id, group]));
  const found = new Map<string, ListedInstrument>();
  const classes = new Set<PairClass>();
  for (const entry of reply.instruments) {
    const codes = groupCodes(entry, groups);
    if (codes === null) return null;
    const instrumentClass = classOf(codes);
    const parts = splitCode(entry.code);
    // A code of another form, such as that of a future, has no symbol here.
    if (instrumentClass === null || parts === null) continue;
    const instrument = listInstrument(entry, parts, instrumentClass);
    if (found.has(instrument.symbol)) continue;
    found.set(instrument.symbol, instrument);
    classes.add(instrumentClass);
  }
  // If the feed renames a group, the listing must fail: it would remove every symbol of that class.
  return classes.size === 3 ? [...found.values()] : null;
}

function listInstrument(
  { code, name, description }: Entry,
  { base, quote }: { readonly base: string; readonly quote: string },
  instrumentClass: PairClass,
): ListedInstrument {
  const symbol = base + quote;
  const bundled = BUNDLED_PAIRS.get(symbol);
  const described = description?.trim().replace(' vs ', ' / ');
  return {
    symbol,
    name: bundled?.name ?? (described || name),
    aliases: [...new Set([code, `${base}/${quote}`, ...(bundled?.aliases ?? [])])],
    exchange: null,
    class: instrumentClass,
    units: quote,
    status: 'active',
  };
}

/** Returns the codes of the groups of an instrument, the narrowest first; null if the groups do not form a tree. */
function groupCodes({ groupId, platformGroupId }: Entry, groups: ReadonlyMap<number, Group>): string[] | null {
  // The feed gives some coins no group of its tree.
  if (groupId === null) return platformGroupId ? [platformGroupId] : [];
  const codes: string[] = [];
  for (let id: number | null = groupId; id !== null; ) {
    const group = groups.get(id);
    if (group === undefined || codes.length > groups.size) return null;
    codes.push(group.code);
    id = group.parentId;
  }
  return codes;
}

/**
 * Returns the class of an instrument by the codes of its groups: FX with FX_MAJORS, FX_CROSSES and FX_METALS, CMD with
 * CMD_METALS, and VCCY for coins; CRYPTO_CURR where the tree has no group.
 */
function classOf(codes: readonly string[]): PairClass | null {
  for (const code of codes) {
    if (/^(VCCY|CRYPTO)(_|$)/.test(code)) return 'coin';
    if (/(^|_)METALS?$/.test(code)) return 'metal';
    if (/^FX(_|$)/.test(code)) return 'pair';
  }
  return null;
}

// By hand, because a schema takes several times as long and a refresh must not hold the event loop.
function isEntry(value: unknown): value is Entry {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.code === 'string' &&
    isNullOr('string', value.description) &&
    isNullOr('number', value.groupId) &&
    isNullOr('string', value.platformGroupId)
  );
}

function isGroup(value: unknown): value is Group {
  return (
    isRecord(value) &&
    typeof value.id === 'number' &&
    typeof value.code === 'string' &&
    isNullOr('number', value.parentId)
  );
}

function isNullOr(type: 'string' | 'number', value: unknown): boolean {
  return value === null || typeof value === type;
}
