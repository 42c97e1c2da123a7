import { type Change, mutateJson, readSlot, type Slot, writeSlot } from '../market/mutate-json.ts';
import { mutateReply, pick } from '../market/mutate-reply.ts';
import type { Random } from '../platform/seeded-random.ts';

// Damages replies of statistical providers: JSON of any protocol, and text with lines and cells such as CSV.

/** Periods and values in the notations of all protocols, valid ones and others. */
const TEXTS = [
  '2004',
  '2023',
  '2004-Q1',
  '2004Q1',
  '2004M02',
  '2004-02',
  '2004-02-29',
  '2003-02-29',
  '2020-W53',
  '2021-W53',
  '2004-S1',
  '2004-13',
  '1799',
  '2201-01-01',
  '0001-01-01',
  '-2004',
  'NA',
  'NaN',
  '.',
  ':',
  '-',
  'n/a',
  '1,5',
  '1.5',
  ' 7',
  '7 p',
  '0x10',
  '1e5',
  '1e999',
  'Infinity',
  '٧',
  '',
];
const NAMES = ['value', 'date', 'period', 'observations', 'docs', 'series', 'id', 'size', 'index', 'label', 'status'];
const MORE_NAMES = [
  'dimension',
  'country',
  'indicator',
  'message',
  'total',
  'unit',
  'source',
  'name',
  'realtime_start',
];

const JSON_CHANGES: readonly Change[] = [
  (random, slot) => writeSlot(slot, pick(random, TEXTS)),
  changeSlotDigit,
  changeSlotDigit,
  (random, slot) => {
    if (!Array.isArray(slot.parent))
      writeSlot({ ...slot, key: pick(random, [...NAMES, ...MORE_NAMES]) }, readSlot(slot));
  },
  removeKey,
  onElement((_random, list, at) => list.splice(at, 1)),
  onElement((random, list, at) => list.splice(Math.floor(random() * list.length), 0, structuredClone(list[at]))),
  onElement((random, list, at) => {
    const element = list[at];
    const isObject = typeof element === 'object' && element !== null && Object.keys(element).length > 0;
    const parent = isObject ? (element as Record<string, unknown>) : list;
    changeSlotDigit(random, { parent, key: isObject ? pick(random, Object.keys(parent)) : at });
  }),
];

const MIN_ROWS = 4;

/** Changes an element of a long list, which is mostly a row: there are many more values than rows. */
function onElement(change: (random: Random, list: unknown[], at: number) => void): Change {
  return (random, _slot, slots) => {
    const elements = slots.filter(({ parent }) => Array.isArray(parent) && parent.length >= MIN_ROWS);
    if (elements.length === 0) return;
    const { parent, key } = pick(random, elements);
    change(random, parent as unknown[], Number(key));
  };
}

/** Changes one digit, which moves a period to another one or changes a value, and leaves the form as it is. */
function changeSlotDigit(random: Random, slot: Slot): void {
  const value = readSlot(slot);
  if (typeof value === 'string') writeSlot(slot, changeDigit(random, value));
  if (typeof value === 'number') writeSlot(slot, Number(changeDigit(random, String(value))));
}

/** Removes a name, as a number that is the name of a value in JSON-stat. */
function removeKey(random: Random, { parent }: Slot): void {
  if (!Array.isArray(parent)) delete parent[pick(random, Object.keys(parent))];
}

function changeDigit(random: Random, text: string): string {
  const digits = [...text.matchAll(/\d/g)];
  if (digits.length === 0) return text;
  const { index } = pick(random, digits);
  return `${text.slice(0, index)}${Math.floor(random() * 10)}${text.slice(index + 1)}`;
}

type LineChange = (random: Random, lines: string[], at: number) => void;

const LINE_CHANGES: readonly LineChange[] = [
  (_random, lines, at) => lines.splice(at, 1),
  (random, lines, at) => lines.splice(Math.floor(random() * lines.length), 0, lines[at] as string),
  (random, lines, at) => {
    const other = Math.floor(random() * lines.length);
    [lines[at], lines[other]] = [lines[other] as string, lines[at] as string];
  },
  (random, lines, at) => {
    lines[at] = changeDigit(random, lines[at] as string);
  },
  (random, lines, at) => changeCells(lines, at, (cells, i) => cells.splice(i, 1, pick(random, TEXTS)), random),
  (random, lines, at) => changeCells(lines, at, (cells, i) => cells.splice(i, 1), random),
  (random, lines, at) => changeCells(lines, at, (cells, i) => cells.splice(i, 0, cells[i] as string), random),
  (random, lines, at) => {
    const swap = (cells: string[], i: number) => cells.push(...cells.splice(i, 1));
    changeCells(lines, at, swap, random);
  },
  (random, lines, at) => {
    lines[at] = `${lines[at]}${pick(random, [',', '"', '\t', ';', ' ', '\r', ',,,'])}`;
  },
];

function changeCells(lines: string[], at: number, change: (cells: string[], i: number) => void, random: Random): void {
  const line = lines[at] as string;
  const separator = line.includes('\t') ? '\t' : ',';
  const cells = line.split(separator);
  change(cells, Math.floor(random() * cells.length));
  lines[at] = cells.join(separator);
}

function mutateLines(random: Random, text: string, changes: number): string {
  const lines = text.split('\n');
  for (let change = 0; change < changes && lines.length > 0; change++) {
    pick(random, LINE_CHANGES)(random, lines, Math.floor(random() * lines.length));
  }
  return lines.join('\n');
}

/** Returns a damaged copy of a reply, which is JSON or has lines. */
export function mutateSeriesReply(random: Random, text: string): Buffer {
  const isJson = /^\s*[[{]/.test(text);
  return mutateReply(random, text, (source, document, changes) =>
    isJson ? mutateJson(source, document, changes, JSON_CHANGES) : mutateLines(source, document, changes),
  );
}
