import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../contract/index.ts';
import { parseTableName } from './table-name.ts';

function codeOf(text: string): string {
  try {
    return JSON.stringify(parseTableName(text));
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error.code;
  }
}

test('returns the parts of names of local and public tables', () => {
  assert.deepEqual(parseTableName('local.flights'), { kind: 'local', name: 'flights' });
  assert.deepEqual(parseTableName(`local.${'a'.repeat(64)}`), { kind: 'local', name: 'a'.repeat(64) });
  assert.deepEqual(parseTableName('local.2024_q1'), { kind: 'local', name: '2024_q1' });
  assert.deepEqual(parseTableName('bigquery-public-data.noaa_gsod.gsod2024'), {
    kind: 'public',
    dataset: 'noaa_gsod',
    table: 'gsod2024',
  });
  assert.deepEqual(parseTableName('bigquery-public-data.Crypto_1.daily-blocks_V2'), {
    kind: 'public',
    dataset: 'Crypto_1',
    table: 'daily-blocks_V2',
  });
});

test('denies every other project, however it is spelled', () => {
  const denied = [
    'my-project.sales.orders',
    'my-project1.sales.orders$20240101',
    'my-project.sales.orders_*',
    '`my-project`.sales.orders',
    '`my-project.sales.orders`',
    'my-project.`sales`.`orders`',
    'google.com:analytics.sales.orders',
    'example.co.uk:analytics.sales.orders',
    'my-project:sales.orders',
    'my-project.region-us.INFORMATION_SCHEMA.TABLES',
    'my-project.sales.INFORMATION_SCHEMA.COLUMNS',
    'BIGQUERY-PUBLIC-DATA.noaa_gsod.gsod2024',
    'Bigquery-Public-Data.noaa_gsod.gsod2024',
    'bigquery-public-data2.noaa_gsod.gsod2024',
    'bigquery-public-data-x.noaa_gsod.gsod2024',
    'xbigquery-public-data.noaa_gsod.gsod2024',
    'google.com:bigquery-public-data.noaa_gsod.gsod2024',
    'bigquery-public.bigquery-public-data.noaa_gsod.gsod2024',
    'my-project.sales.orders; DROP TABLE x',
  ];
  for (const name of denied) assert.equal(codeOf(name), 'SOURCE_DENIED', name);
});

test('names the project that is denied', () => {
  for (const [name, project] of [
    ['google.com:analytics.sales.orders', 'google.com:analytics'],
    ['`my-project`.sales.orders', 'my-project'],
    ['a.io:sales-data.sales.orders', 'a.io:sales-data'],
  ] as const) {
    assert.throws(() => parseTableName(name), new RegExp(`the project "${project}" is not read`));
  }
});

test('refuses texts that are not the name of a table', () => {
  const invalid = [
    '',
    'local',
    'local.',
    'flights',
    'sales.orders',
    'local.Flights',
    'local.flights-2',
    'local.flights.parquet',
    'local.../../etc/passwd',
    'local./etc/passwd',
    'local.flights\n',
    'local.flights\u0000',
    ' local.flights',
    'LOCAL.flights',
    `local.${'a'.repeat(65)}`,
    'local.flıghts',
    'local.а',
    'bigquery-public-data',
    'bigquery-public-data.noaa_gsod',
    'bigquery-public-data.noaa_gsod.',
    'bigquery-public-data..gsod2024',
    'bigquery-public-data.noaa-gsod.gsod2024',
    'bigquery-public-data.noaa_gsod.gsod*',
    'bigquery-public-data.noaa_gsod.gsod2024$20240101',
    'bigquery-public-data.noaa_gsod.gsod2024@-3600000',
    'bigquery-public-data.noaa_gsod.gsod 2024',
    'bigquery-public-data.noaa_gsod.gsod2024\n',
    'bigquery-public-data.noaa_gsod.gsod2024 FOR SYSTEM_TIME AS OF x',
    '`bigquery-public-data.noaa_gsod.gsod2024`',
    'bigquery-public-data.`noaa_gsod`.gsod2024',
    'bigquery-public-data:noaa_gsod.gsod2024',
    'bigquery-public-data.INFORMATION_SCHEMA.SCHEMATA',
    'bigquery-public-data.noaa_gsod.information_schema',
    'bigquery-public-data.noaa_gsod.INFORMATION_SCHEMA.TABLES',
    'bigquery-public-data.region-us.INFORMATION_SCHEMA.JOBS',
    'bigquery‑public‑data.noaa_gsod.gsod2024',
    'bigquery-public-dаta.noaa_gsod.gsod2024',
    'bigquery-public-data․noaa_gsod․gsod2024',
    'bigquery-public-data.noaa_gsod.gsod２０２４',
    'a.b.c',
    '...',
    "x' OR 1=1 --.a.b",
  ];
  for (const name of invalid) assert.equal(codeOf(name), 'INVALID_REQUEST', JSON.stringify(name));
});
