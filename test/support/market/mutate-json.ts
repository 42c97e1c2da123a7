import type { Random } from '../platform/seeded-random.ts';
import { pick } from './mutate-reply.ts';

// Damages the values and the structure of JSON documents of any protocol.

/** A value and the object or list that contains it. */
export interface Slot {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

const WRONG_VALUES = [
  null,
  true,
  '',
  '10',
  'NaN',
  0,
  -0,
  -1,
  -10.5,
  1e308,
  5e-324,
  1e21,
  [],
  {},
  [[]],
  [10],
  { t: {} },
  'OTHER',
  '2024-02-30T05:00:00Z',
  '2024-02-20T05:00:00Z',
  '2024-02-20T24:00:00Z',
  '2024-02-20',
  '2031-02-20T05:00:00Z',
  '1985-01-04T05:00:00Z',
  1_708_405_200_000,
  1_708_408_800_000,
  1_929_416_400_000,
];

const NUMBER_CHANGES = [-1, 0.1, 10, 1 + 1e-10, 1 + 1e-6, 1 - 5e-10, 1e-300];
const TIME_CHANGES = [1, 1_000, 60_000, 1_800_000, 43_200_000, 86_400_000, -86_400_000];
const KEYS = [
  '__proto__',
  'constructor',
  't',
  'o',
  'h',
  'l',
  'c',
  'v',
  'bars',
  'results',
  'status',
  'symbol',
  'ticker',
];

/** Changes a value in place. */
export type Change = (random: Random, slot: Slot, slots: readonly Slot[]) => void;

export function readSlot({ parent, key }: Slot): unknown {
  return (parent as Record<string, unknown>)[key];
}

export function writeSlot({ parent, key }: Slot, value: unknown): void {
  // Not an assignment, because the key may be __proto__.
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

function changeNumber(random: Random, slot: Slot): void {
  const value = readSlot(slot);
  if (typeof value === 'number') {
    writeSlot(slot, random() < 0.5 ? value * pick(random, NUMBER_CHANGES) : value + pick(random, TIME_CHANGES));
  } else if (typeof value === 'string') {
    const instant = Date.parse(value) + pick(random, TIME_CHANGES);
    writeSlot(slot, Number.isNaN(instant) ? `${value}x` : new Date(instant).toISOString().replace('.000Z', 'Z'));
  }
}

const CHANGES: readonly Change[] = [
  (random, slot) => writeSlot(slot, pick(random, WRONG_VALUES)),
  (random, slot) => writeSlot(slot, pick(random, WRONG_VALUES)),
  changeNumber,
  changeNumber,
  changeNumber,
  (_random, slot) => writeSlot(slot, String(readSlot(slot))),
  (random, slot, slots) => {
    const other = pick(random, slots);
    const [one, two] = [readSlot(slot), readSlot(other)];
    // A copy, because a value may contain the place that it is copied to.
    writeSlot(slot, structuredClone(two));
    if (typeof one !== 'object' && typeof two !== 'object') writeSlot(other, one);
  },
  (_random, { parent, key }) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
  (random, { parent, key }) => {
    if (Array.isArray(parent))
      parent.splice(Math.floor(random() * parent.length), 0, structuredClone(parent[Number(key)]));
    else writeSlot({ parent, key: pick(random, KEYS) }, parent[key]);
  },
  (random, { parent }) => {
    if (Array.isArray(parent)) parent.sort(() => random() - 0.5);
  },
];

/**
 * Returns a document with some changes of its values or structure.
 *
 * @param more changes that suit a protocol, in addition to the common ones
 */
export function mutateJson(random: Random, text: string, changes: number, more: readonly Change[] = []): string {
  const root = { document: JSON.parse(text) as unknown };
  for (let change = 0; change < changes; change++) {
    const slots = listSlots(root);
    pick(random, [...CHANGES, ...more])(random, pick(random, slots), slots);
    // A value that was copied must not change in two places.
    root.document = JSON.parse(JSON.stringify(root.document) ?? 'null');
  }
  return JSON.stringify(root.document);
}

/** Returns every value of a document. The values of the first level are as frequent as all others together. */
function listSlots(root: { readonly document: unknown }): Slot[] {
  const slots: Slot[] = [];
  const visit = (parent: Slot['parent']) => {
    for (const key of Array.isArray(parent) ? parent.keys() : Object.keys(parent)) {
      const slot = { parent, key };
      slots.push(slot);
      const value = readSlot(slot);
      if (typeof value === 'object' && value !== null) visit(value as Slot['parent']);
    }
  };
  visit(root as Record<string, unknown>);
  const first = slots.filter(({ parent }) => parent === root.document);
  if (first.length === 0) return slots;
  return [...slots, ...Array.from({ length: slots.length }, (_, i) => first[i % first.length] as Slot)];
}
