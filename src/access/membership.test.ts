import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf, type Membership, permissionsOf } from './membership.ts';

const ALL = { mode: 'all', ids: [] } as const;
const NONE = { mode: 'none', ids: ['left_over'] } as const;
const ONE = { mode: 'selected', ids: ['thing'] } as const;
const EMPTY = { mode: 'selected', ids: [] } as const;

test('gives each role its permissions in order', () => {
  assert.deepEqual(permissionsOf('owner'), [
    'workspace.read',
    'workspace.update',
    'members.read',
    'members.manage',
    'csv.list',
    'csv.read',
    'csv.download',
    'csv.write',
    'forecast.list',
    'forecast.read',
    'forecast.create',
    'forecast.update',
    'forecast.cancel',
  ]);
  assert.deepEqual(permissionsOf('editor'), [
    'workspace.read',
    'members.read',
    'csv.list',
    'csv.read',
    'csv.download',
    'csv.write',
    'forecast.list',
    'forecast.read',
    'forecast.create',
    'forecast.update',
    'forecast.cancel',
  ]);
  assert.deepEqual(permissionsOf('viewer'), [
    'workspace.read',
    'members.read',
    'csv.list',
    'csv.read',
    'csv.download',
    'forecast.list',
    'forecast.read',
  ]);
});

const EDITOR_CSV = ['csv.list', 'csv.read', 'csv.download', 'csv.write'];
const EDITOR_FORECASTS = ['forecast.list', 'forecast.read', 'forecast.create', 'forecast.update', 'forecast.cancel'];
const VIEWER_CSV = ['csv.list', 'csv.read', 'csv.download'];
const VIEWER_FORECASTS = ['forecast.list', 'forecast.read'];

const CAPABILITIES: readonly [Membership, readonly string[]][] = [
  [{ role: 'owner', csv: ALL, forecasts: ALL }, [...EDITOR_CSV, ...EDITOR_FORECASTS]],
  [{ role: 'editor', csv: ALL, forecasts: ONE }, [...EDITOR_CSV, ...EDITOR_FORECASTS]],
  [{ role: 'editor', csv: ONE, forecasts: EMPTY }, EDITOR_CSV],
  [{ role: 'editor', csv: NONE, forecasts: ALL }, EDITOR_FORECASTS],
  [{ role: 'viewer', csv: ALL, forecasts: ALL }, [...VIEWER_CSV, ...VIEWER_FORECASTS]],
  [{ role: 'viewer', csv: ONE, forecasts: NONE }, VIEWER_CSV],
  [{ role: 'viewer', csv: EMPTY, forecasts: ONE }, VIEWER_FORECASTS],
  [{ role: 'viewer', csv: NONE, forecasts: EMPTY }, []],
];

for (const [membership, expected] of CAPABILITIES) {
  const { role, csv, forecasts } = membership;
  const scope = ({ mode, ids }: Membership['csv']) => `${mode} (${ids.length})`;
  test(`lists the capabilities of ${role} with csv ${scope(csv)} and forecasts ${scope(forecasts)}`, () => {
    assert.deepEqual(capabilitiesOf(membership), expected);
  });
}
