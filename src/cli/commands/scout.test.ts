import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../platform/index.ts';
import type { ReplayReport } from '../../scout/index.ts';
import { findCommand } from '../command.ts';
import { scoutCommands } from './scout.ts';

const folder = await mkdtemp(join(tmpdir(), 'almanac-replay-'));
after(() => rm(folder, { recursive: true }));

async function replay(...words: string[]) {
  const { command, values } = findCommand(scoutCommands, ['scout', 'replay', ...words]);
  return (await command.run(loadConfig({ ALMANAC_DATA: folder }), [], values)) as ReplayReport & {
    readonly settings: { readonly models: readonly string[] };
  };
}

test('the bundled history is replayed by the default ensemble, without a database', async () => {
  const csv = join(folder, 'questions.csv');
  const small = ['--cutoffs=2', '--rows=60', '--before=2000', '--horizons=1,2', '--changes=-1,0,1'];
  const report = await replay(...small, '--csv', csv);
  assert.equal(report.log_loss.questions, 12);
  assert.deepEqual(report.settings.models, ['prophet', 'toto', 'ets', 'theta', 'arima']);
  assert.equal(report.coherence.incoherent_pairs, 0);
  assert.equal(report.last_cutoff, '2020-04-15T00:00:00.000Z');
  const lines = (await readFile(csv, 'utf8')).trimEnd().split('\r\n');
  assert.equal(lines.length, 13);
  // The closes of 15 and 16 April 2020 were 2783.36 and 2799.55: up by less than 1 %.
  assert.match(lines[7] ?? '', /^2020-04-15T00:00:00\.000Z,1,-1,2755\.526/);
  assert.match(lines[9] ?? '', /^2020-04-15T00:00:00\.000Z,1,1,.*,2020-04-16T00:00:00\.000Z,2799\.5\d*,0,/);
});

test('what cannot be replayed is refused before the work', async () => {
  await assert.rejects(replay('--symbol', 'NOPE'), /NOPE/);
  await assert.rejects(replay('--before', '5100'), /has 5105 rows/);
  await assert.rejects(replay('--csv', join(folder, 'none', 'x.csv')), /--csv: .*cannot be written/);
});
