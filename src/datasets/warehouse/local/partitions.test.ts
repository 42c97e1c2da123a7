import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWarehouseFolder, type WarehouseFolder } from '../../../../test/support/datasets/warehouse-folder.ts';
import { checkPartitions } from './agree-columns.ts';
import { describePartitions, readPartitions } from './partitions.ts';

let folder: WarehouseFolder;
before(async () => {
  folder = await openWarehouseFolder();
});
after(() => folder[Symbol.dispose]());

const kindOf = (values: readonly (string | null)[]) =>
  describePartitions(values.map((value) => ({ partitions: new Map([['k', value]]) })))[0]?.kind;

test('a partition has integers or dates only if all of its values are such', () => {
  assert.equal(kindOf(['1', '-20', '0', null]), 'integer');
  assert.equal(kindOf(['2024-02-29', '1999-12-31']), 'date');
  assert.equal(kindOf(['2024-02-29', '2023-02-29']), 'text');
  for (const odd of ['01', '-0', '1.5', '', '+1', '1234567890123456', 'a'])
    assert.equal(kindOf(['1', odd]), 'text', odd);
  assert.equal(kindOf([null]), 'text');
});

const FOLDERS = [
  'k=plain',
  'k=a%20b%2Fc',
  'k=100%',
  'k=%C3%A9é',
  'k=__HIVE_DEFAULT_PARTITION__',
  'k=NULL',
  'k=null',
  'k=__hive_default_partition__',
  'k=Null',
  'k=nulls',
  'k=%4EULL',
  'null=1',
  'k=',
  'k=a+b',
  '%6B=x',
  'k=1=2',
  '=3',
  'k',
];

for (const name of FOLDERS) {
  test(`reads the folder ${name} as DuckDB does`, async () => {
    const path = await folder.copy(`${name}/f.parquet`, 'SELECT 1 AS x');
    const [row] = await folder.query(
      `SELECT * FROM read_parquet('${path}', hive_partitioning = true, hive_types_autocast = false)`,
    );
    const { x: _, ...partitions } = row ?? {};
    assert.deepEqual(Object.fromEntries(readPartitions([name], 'f')), partitions);
  });
}

test('DuckDB reads the value of the folder instead of a column with the same name, whatever its case', async () => {
  const path = await folder.copy('Y=6/f.parquet', 'SELECT 1 AS y, 2 AS x');
  const rows = await folder.query(
    `SELECT "Y" AS y, x FROM read_parquet('${path}', hive_partitioning = true, hive_types = {'Y': BIGINT})`,
  );
  assert.deepEqual(rows, [{ y: 6n, x: 2 }]);
});

test('names a file whose folders have other keys', () => {
  const fileOf = (name: string, keys: readonly string[]) => ({
    name,
    path: name,
    size: 1,
    modifiedNs: 0n,
    inode: 0n,
    partitions: new Map(keys.map((key) => [key, '1'])),
  });
  checkPartitions([fileOf('a', ['x', 'y']), fileOf('b', ['y', 'x'])]);
  for (const keys of [[], ['x'], ['x', 'Y'], ['x', 'y', 'z']]) {
    assert.throws(() => checkPartitions([fileOf('a', ['x', 'y']), fileOf('b', keys)]), {
      code: 'UNPROCESSABLE',
      message: /"b" and "a"/,
    });
  }
});
