import type { Random } from '../platform/seeded-random.ts';

// Damages JSON replies of the loopback provider as faulty networks, faulty releases and attackers would.

type Json = Record<string, unknown>;

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

const WRONG_NUMBERS = [null, true, '10', 'NaN', '', 0, -0, -1, -10.5, 1e308, 5e-324, 1e21, [10], { value: 10 }];
const WRONG_INSTANTS = [
  null,
  1_709_251_200_000,
  '2024-02-30T00:00:00Z',
  '2024-03-02T00:00:00Z',
  '2024-02-19T00:00:00Z',
  '2024-02-20T24:00:00Z',
  '2024-02-20T05:00:00Z',
  '2024-02-20T00:00:00+00:00',
  '2024-02-20',
  '2024-03-07T00:00:00Z',
  '2024-03-08T00:00:00Z',
  '1985-01-04T00:00:00Z',
  '1985-01-05T00:00:00Z',
  '0024-02-20T00:00:00Z',
  '9999-12-31T00:00:00Z',
  'yesterday',
];
const WRONG_ROWS = [null, 7, 'row', [], {}, [[[[]]]], { t: { t: { t: {} } } }];
const WRONG_TOKENS = [null, '', 7, {}, undefined, 'older-1', 'older-2', 'elsewhere', 'again'];
const WRONG_LISTS = [null, {}, 'bars', 7, undefined, [], [[]]];
const NUMBER_FIELDS = ['o', 'h', 'l', 'c', 'v'];
const FIELDS = ['t', ...NUMBER_FIELDS];

type RowsMutation = (random: Random, rows: unknown[], reply: Json) => void;

/** Changes a row in place, if there is one to change. */
function onRow(change: (random: Random, row: Json) => void): RowsMutation {
  return (random, rows) => {
    const row = pick(random, rows);
    if (typeof row === 'object' && row !== null) change(random, row as Json);
  };
}

function shiftInstant(random: Random, row: Json): void {
  const instant = Date.parse(String(row.t)) + pick(random, [1, 1_000, 60_000, 43_200_000, 86_400_000, -86_400_000]);
  if (!Number.isNaN(instant)) row.t = new Date(instant).toISOString().replace('.000Z', 'Z');
}

const ROW_MUTATIONS: readonly RowsMutation[] = [
  onRow((random, row) => {
    row[pick(random, NUMBER_FIELDS)] = pick(random, WRONG_NUMBERS);
  }),
  onRow((random, row) => {
    const field = pick(random, NUMBER_FIELDS);
    row[field] = Number(row[field]) * pick(random, [-1, 0.1, 10, 1 + 1e-10, 1 + 1e-6, 1e-300]);
  }),
  // Slightly outside high and low, or with the two slightly swapped: by less and by more than a rounding error.
  onRow((random, row) => {
    row[pick(random, ['o', 'c'])] = Number(row.h) * (1 + pick(random, [5e-10, 1e-8, 1e-4]));
  }),
  onRow((random, row) => {
    row[pick(random, ['o', 'c'])] = Number(row.l) * (1 - pick(random, [5e-10, 1e-8, 1e-4]));
  }),
  onRow((random, row) => {
    row.o = row.c = row.l;
    row.h = Number(row.l) * (1 - pick(random, [5e-10, 1e-8]));
  }),
  onRow((random, row) => {
    const field = pick(random, NUMBER_FIELDS);
    row[field] = String(row[field]);
  }),
  onRow((random, row) => {
    const [one, other] = [pick(random, FIELDS), pick(random, FIELDS)];
    [row[one], row[other]] = [row[other], row[one]];
  }),
  onRow((random, row) => {
    delete row[pick(random, FIELDS)];
  }),
  onRow((random, row) => {
    row.t = pick(random, WRONG_INSTANTS);
  }),
  onRow(shiftInstant),
  (random, rows) => rows.splice(Math.floor(random() * rows.length), 1),
  (random, rows) => rows.splice(Math.floor(random() * rows.length), 0, pick(random, rows)),
  (random, rows) => {
    const row = pick(random, rows);
    if (typeof row === 'object') rows.push({ ...row, [pick(random, FIELDS)]: 10 + Math.floor(random() * 3) });
  },
  (random, rows) => {
    rows.push({ ...(pick(random, rows) as Json), t: (pick(random, rows) as Json | null)?.t });
  },
  (random, rows) => rows.sort(() => random() - 0.5),
  (random, rows) => rows.splice(Math.floor(random() * rows.length), 1, pick(random, WRONG_ROWS)),
  (random, _rows, reply) => {
    reply.next_page_token = pick(random, WRONG_TOKENS);
  },
  (random, _rows, reply) => {
    reply.bars = pick(random, WRONG_LISTS);
  },
];

type TextMutation = (random: Random, text: string) => string;

function replaceOne(random: Random, text: string, pattern: RegExp, by: (found: string) => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: part, index } = pick(random, found);
  return text.slice(0, index) + by(part) + text.slice(index + part.length);
}

const NUMBER_TEXTS = [
  '1e400',
  '-1e400',
  '1e-400',
  '0x10',
  '+5',
  '.5',
  '012',
  '1.',
  '-0',
  'NaN',
  'Infinity',
  '1e1',
  '1_0',
];
const KEYS = ['"__proto__"', '"constructor"', '"t"', '"o"', '"h"', '"v"', '"bars"', '"next_page_token"'];

const TEXT_MUTATIONS: readonly TextMutation[] = [
  (random, text) => text.slice(0, Math.floor(random() * text.length)),
  (random, text) => replaceOne(random, text, /(?<=:)-?\d[\d.]*/g, () => pick(random, NUMBER_TEXTS)),
  (random, text) =>
    replaceOne(
      random,
      text,
      /(?<=:)-?\d[\d.]*/g,
      (number) => `${number}${pick(random, ['e0', 'E1', 'e-1', 'e', '0', '.0', '.'])}`,
    ),
  (random, text) => replaceOne(random, text, /"\w+"(?=:)/g, () => pick(random, KEYS)),
  (random, text) =>
    replaceOne(random, text, /\{/g, () => `{${pick(random, KEYS)}:${pick(random, ['1', 'null', '{"o":1}', '"x"'])},`),
  (random, text) =>
    replaceOne(random, text, /[{}[\]":,]/g, () => pick(random, ['{', '}', '[', ']', '"', ':', ',', ''])),
  (random, text) => replaceOne(random, text, /\d/g, () => String(Math.floor(random() * 10))),
  (random, text) => `${text}${pick(random, [' ', '\n', '\u0000', ',', text, '<!-- -->'])}`,
  (random, text) => `${pick(random, ['\ufeff', ' ', '[', '{"data":', ")]}',\n"])}${text}`,
  (random, text) => `${'['.repeat(5_000)}${text}${']'.repeat(pick(random, [0, 5_000]))}`,
  () => '',
];

type BytesMutation = (random: Random, bytes: Buffer) => Buffer;

const position = (random: Random, bytes: Buffer) => Math.floor(random() * bytes.length);

const BYTE_MUTATIONS: readonly BytesMutation[] = [
  (random, bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[position(random, bytes)] = Math.floor(random() * 256);
    return copy;
  },
  (random, bytes) => {
    const at = position(random, bytes);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + Math.floor(random() * 40))]);
  },
  (random, bytes) => {
    const [from, to] = [position(random, bytes), position(random, bytes)];
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + 60), bytes.subarray(to)]);
  },
];

/** Changes the values or the structure of a JSON document. */
export type MutateValues = (random: Random, text: string, changes: number) => string;

/**
 * Returns a damaged copy of a reply: one to three changes of its values or structure, its text, or its bytes.
 *
 * @param change changes the values; by default those of the loopback provider
 */
export function mutateReply(random: Random, text: string, change: MutateValues = mutateValues): Buffer {
  const changes = 1 + Math.floor(random() * 3);
  const level = random();
  if (level < 0.6) return Buffer.from(change(random, text, changes));
  if (level < 0.85)
    return Buffer.from(repeat(changes, text, (damaged) => pick(random, TEXT_MUTATIONS)(random, damaged)));
  return repeat<Buffer>(changes, Buffer.from(text), (damaged) => pick(random, BYTE_MUTATIONS)(random, damaged));
}

function mutateValues(random: Random, text: string, changes: number): string {
  const reply = JSON.parse(text) as Json;
  for (let change = 0; change < changes; change++) {
    const rows = reply.bars;
    if (Array.isArray(rows) && rows.length > 0) pick(random, ROW_MUTATIONS)(random, rows, reply);
  }
  return JSON.stringify(reply);
}

function repeat<T>(times: number, first: T, step: (value: T) => T): T {
  let value = first;
  for (let time = 0; time < times; time++) value = step(value);
  return value;
}
