import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDbnomicsScene } from '../../../../test/support/datasets/dbnomics-scene.ts';
import { sendJson } from '../../../../test/support/platform/wire-server.ts';
import { createProviderClient, ProviderError } from '../../../platform/index.ts';

const openHttp = () => createProviderClient({ provider: 'dbnomics', gate: null, sleep: async () => {} });
const isMalformed = (error: unknown) => error instanceof ProviderError && error.fault === 'MALFORMED';

type Doc = Record<string, unknown>;

test('describes a data set by its dimensions, one of which decides the frequency', async () => {
  await using scene = await createDbnomicsScene();
  const structure = await scene.adapter.readStructure('ECB/ICP', openHttp());
  assert.equal(scene.server.requests.length, 1);
  assert.deepEqual(
    structure?.dimensions.map(({ field, label, values }) => [field, label, values.length]),
    [
      ['FREQ', 'Frequency', 4],
      ['REF_AREA', 'Reference area', 3],
      ['UNIT_MEASURE', 'Unit of measure', 1],
      ['ADJUSTMENT', 'Adjustment indicator', 2],
    ],
  );
  assert.deepEqual(structure.dimensions[1]?.values, [
    { value: 'U2', label: 'Euro area' },
    { value: 'FR', label: 'France' },
    { value: 'DE', label: 'DE' },
  ]);
  assert.deepEqual(structure.frequency, {
    dimension: 'FREQ',
    byValue: {
      M: { frequency: '1ME' },
      Q: { frequency: '1QE' },
      H: { unsupported: 'half-yearly' },
      B: { frequency: '1D' },
    },
  });
  assert.equal(structure.unitsDimension, 'UNIT_MEASURE');
  assert.equal(structure.seasonalDimension, 'ADJUSTMENT');
  assert.equal(structure.publisher, 'European Central Bank, by way of DBnomics');
  assert.equal(structure.lastUpdate, '2026-10-06T04:11:52.318Z');
});

test('reads the frequency and missing values of dimensions from the first series', async () => {
  await using scene = await createDbnomicsScene();
  const yearly = await scene.adapter.readStructure('AMECO/ZUTN', openHttp());
  assert.deepEqual(yearly?.frequency, { frequency: '1YE' });
  assert.equal(yearly.unitsDimension, 'unit');
  assert.equal(yearly.notes, 'The number of unemployed persons as a percentage of the labor force.');
  const claims = await scene.adapter.readStructure('STATES/claims', openHttp());
  assert.deepEqual(claims?.frequency, { frequency: '1W-MON' });
  assert.deepEqual(claims.dimensions, [
    {
      field: 'place',
      label: 'place',
      values: [
        { value: 'IN', label: 'IN' },
        { value: 'OUT', label: 'OUT' },
      ],
    },
    {
      field: 'indicator',
      label: 'Indicator',
      values: [
        { value: 'claims', label: 'claims' },
        { value: 'loans', label: 'loans' },
      ],
    },
  ]);
});

test('returns titles, labels and notes in one line that can be stored', async () => {
  await using scene = await createDbnomicsScene();
  const dataset = {
    provider_code: 'ECB',
    code: 'ICP',
    name: ' Prices\u0000of\r\nconsumers ',
    provider_name: 'Central\u0007Bank',
    description: ['First\u0000line', 'Second line'],
    dimensions_codes_order: ['FREQ'],
    dimensions_labels: { FREQ: 'How\toften' },
    dimensions_values_labels: { FREQ: { M: 'Monthly\u0000', Q: `${'x'.repeat(499)}\u{1f600}` } },
    indexed_at: '2026-02-30T04:11:52Z',
    updated_at: '2026-10-06T04:11:52+02:00',
  };
  scene.server.script.push(sendJson({ datasets: { docs: [dataset], num_found: 1 } }));
  const structure = await scene.adapter.readStructure('ECB/ICP', openHttp());
  assert.ok(structure);
  assert.equal(structure.title, 'Prices of consumers');
  assert.equal(structure.publisher, 'Central Bank, by way of DBnomics');
  assert.equal(structure.notes, 'First line Second line');
  assert.equal(structure.lastUpdate, '2026-10-06T02:11:52.000Z');
  const [{ label, values }] = structure.dimensions as [(typeof structure.dimensions)[0]];
  assert.deepEqual([label, values[0]?.label], ['How often', 'Monthly']);
  assert.ok(values[1]?.label.isWellFormed() && values[1].label.length === 500);
});

test('describes one series with the labels of its data set', async () => {
  await using scene = await createDbnomicsScene();
  const structure = await scene.adapter.readStructure('AMECO/ZUTN/DNK.1.0.0.0.ZUTN', openHttp());
  assert.deepEqual(structure, {
    title: 'Unemployment rate – Denmark',
    units: 'Percentage of labor force',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: 'Annual macro-economic database of the European Commission, by way of DBnomics',
    lastUpdate: '2026-10-06T04:11:52.318Z',
    notes: 'The number of unemployed persons as a percentage of the labor force.',
    dimensions: [],
    frequency: { frequency: '1YE' },
    span: { first: Date.UTC(1985, 0, 1), last: Date.UTC(2027, 0, 1) },
    firstVintage: null,
  });
  assert.deepEqual(
    await scene.adapter.readSeries(scene.adapter.wellKnown, openHttp()).then((read) => read?.frequency),
    {
      frequency: '1YE',
    },
  );
});

test('refuses structures of other data sets and labels that are not labels', async () => {
  await using scene = await createDbnomicsScene();
  const dataset = { provider_code: 'ECB', code: 'ICP', dimensions_codes_order: ['FREQ'] };
  const changes: readonly Doc[] = [
    { code: 'ICP2' },
    { provider_code: 'IMF' },
    { dimensions_codes_order: 'FREQ' },
    { dimensions_codes_order: [1] },
    { dimensions_labels: 'FREQ' },
    { dimensions_values_labels: [] },
    { dimensions_values_labels: { FREQ: 'A' } },
    { dimensions_values_labels: { FREQ: [['A', 'Annual'], [1]] } },
  ];
  for (const change of changes) {
    scene.server.script.push(sendJson({ datasets: { docs: [{ ...dataset, ...change }], num_found: 1 } }));
    await assert.rejects(scene.adapter.readStructure('ECB/ICP', openHttp()), isMalformed, JSON.stringify(change));
  }
  const samples = [
    { docs: [], num_found: 1 },
    { docs: [{ provider_code: 'ECB', dataset_code: 'ICP2' }], num_found: 1 },
  ];
  for (const series of samples) {
    scene.server.script.push(sendJson({ datasets: { docs: [dataset], num_found: 1 } }), sendJson({ series }));
    await assert.rejects(scene.adapter.readStructure('ECB/ICP', openHttp()), isMalformed);
  }
  scene.server.script.push(sendJson({ datasets: { docs: [], num_found: 1 } }));
  await assert.rejects(scene.adapter.readStructure('ECB/ICP', openHttp()), isMalformed);
  scene.server.script.push(sendJson({ datasets: { docs: [], num_found: 0 } }));
  assert.equal(await scene.adapter.readStructure('ECB/ICP', openHttp()), null);
});

test('sorts dimensions whose order is not stated', async () => {
  await using scene = await createDbnomicsScene();
  const dataset = {
    provider_code: 'ECB',
    code: 'ICP',
    dimensions_codes_order: ['FREQ'],
    dimensions_labels: { z: 'Last', b: 'Second' },
    dimensions_values_labels: { FREQ: { A: 'Annual' }, z: { 1: 'One' }, b: { 1: 'One' }, a: { 1: 'One' } },
  };
  scene.server.script.push(sendJson({ datasets: { docs: [dataset], num_found: 1 } }));
  const structure = await scene.adapter.readStructure('ECB/ICP', openHttp());
  const labels = structure?.dimensions.map(({ field, label }) => [field, label]);
  assert.deepEqual(labels, [
    ['FREQ', 'FREQ'],
    ['a', 'a'],
    ['b', 'Second'],
    ['z', 'Last'],
  ]);
});
