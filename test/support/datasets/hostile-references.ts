import fc from 'fast-check';
import { AGGREGATE_FREQUENCIES, AGGREGATE_FUNCTIONS, TIME_FORMATS } from '../../../src/contract/index.ts';
import type { ColumnKind, FilterValue, WarehouseColumn } from '../../../src/datasets/warehouse/engine.ts';

const FRAGMENTS = [
  ...["'", '"', '`', '\\', '\\`', '""', "''", "'''", '--', '/*', '*/', '#', ';', '; DROP TABLE x; --', ') OR (1=1'],
  ...["' OR '1'='1", '" OR 1=1 --', '` UNION ALL SELECT 1, 2 --', '\\` OR 1=1 #', "\\' OR 1=1 --", "E'\\x27'"],
  ...['’', '＇', '＂', '｀', 'ʼ', '\u2028', '\u202e', '\u0000', '\u001a', '\n', '\r\n', '\t', '\ufeff', '\ud83d\ude00'],
  ...['@p0', '$p0', '$1', ':p0', '?', '{{x}}', '$(x)', '%s', '%27', '&#39;', '$$', '$q$', "r'''", '@@version'],
  ...[
    'p0',
    't',
    'v',
    'T',
    'V',
    '1',
    'NULL',
    'select',
    'day',
    '_1',
    'a',
    'B',
    ' ',
    '.',
    '*',
    '[0]',
    "read_csv('/etc/x')",
  ],
  ...['__proto__', 'constructor', 'toString', 'x'.repeat(290)],
];
const TABLES = [
  ...['local.sales', 'bigquery-public-data.noaa.gsod', 'my-project.sales.orders', "local.sales' --", 'local.sales;'],
  ...['`bigquery-public-data.a.b`', 'bigquery-public-data.a.b` --', 'bigquery-public-data.a`.b', 'local."x"'],
  ...['bigquery-public-data.a.b\\', "bigquery-public-data.a.b WHERE '1'='1'", 'local.x/../y', 'local.read_csv(x)'],
];

export const COLUMN_KINDS: readonly ColumnKind[] = [
  'text',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'timestamp',
  'other',
];
/** Texts that would change a query in which they are not quoted. */
export const HOSTILE_TEXT = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));

/** Names of tables of which few exist. */
export const HOSTILE_TABLE = fc.constantFrom(...TABLES, ...FRAGMENTS);

/** Values that fit each kind, so that many references are accepted. */
const FITTING: Record<ColumnKind, fc.Arbitrary<FilterValue>> = {
  text: HOSTILE_TEXT,
  integer: fc.oneof(fc.maxSafeInteger(), fc.constant('42')),
  number: fc.oneof(fc.integer({ min: -999, max: 999 }), fc.constant('-1.25')),
  boolean: fc.boolean(),
  date: fc.constant('2024-02-29'),
  datetime: fc.constant('2024-02-29T12:00:00'),
  timestamp: fc.constant('2024-02-29T12:00:00+01:00'),
  other: HOSTILE_TEXT,
};
const bound = (text: string) => fc.constantFrom(text, undefined, text, undefined, `${text}' --`);

/** Returns mostly the usual value, so that many references are accepted. */
const mostly = <Usual, Other>(usual: fc.Arbitrary<Usual>, other: fc.Arbitrary<Other>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other });

/** Returns schemas with hostile names, each with a reference of which most names are in it. */
export function hostileAttempt(column: fc.Arbitrary<WarehouseColumn>, table: fc.Arbitrary<string>) {
  const columns = fc.uniqueArray(column, { minLength: 6, maxLength: 12, selector: ({ name }) => name });
  return columns.chain((schema) => {
    const ofKind = (...kinds: ColumnKind[]) => {
      const fitting = schema.filter(({ kind }) => kinds.includes(kind));
      return fc.constantFrom(...(fitting.length === 0 ? schema : fitting));
    };
    const filter = ofKind(...COLUMN_KINDS.slice(0, -1)).chain(({ name, kind }) =>
      fc.record({
        field: mostly(fc.constant(name), HOSTILE_TEXT),
        values: fc.array(mostly(FITTING[kind], fc.oneof(HOSTILE_TEXT, fc.double())), { minLength: 1, maxLength: 3 }),
      }),
    );
    const time = ofKind('date', 'datetime', 'timestamp', 'integer').chain(({ name, kind }) =>
      fc.record({
        time_field: mostly(fc.constant(name), HOSTILE_TEXT),
        time_format: kind === 'integer' ? fc.constantFrom(...TIME_FORMATS) : fc.constant(undefined),
      }),
    );
    const others = fc.record({
      type: fc.constant('warehouse_table' as const),
      table,
      value_field: mostly(
        ofKind('integer', 'number').map(({ name }) => name),
        HOSTILE_TEXT,
      ),
      filters: fc.option(fc.array(filter, { maxLength: 2 }), { nil: undefined }),
      start: bound('2024-01-15T00:00:00Z'),
      end: bound('2026-01-15T00:00:00Z'),
      aggregate: fc.option(
        fc.record({
          function: fc.constantFrom(...AGGREGATE_FUNCTIONS),
          frequency: fc.constantFrom(...AGGREGATE_FREQUENCIES),
        }),
        { nil: undefined },
      ),
    });
    return fc.tuple(time, others).map(([one, other]) => ({ schema, reference: { ...one, ...other } }));
  });
}
