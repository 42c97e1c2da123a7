import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../platform/index.ts';
import type { ReplayReport } from '../../scout/index.ts';
import { parseCommandLine, UsageError } from '../command.ts';
import { readReplayOptions, scoutCommands } from './scout.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-replay-'));
});
after(() => rm(folder, { recursive: true }));

async function replay(...words: string[]) {
  const command = scoutCommands[0] ?? assert.fail();
  const { values } = parseCommandLine(command, ['scout', 'replay', ...words]);
  return (await command.run(loadConfig({ ALMANAC_DATA: folder }), [], values, process)) as ReplayReport & {
    readonly settings: { readonly models: readonly string[] };
  };
}

test('replays the bundled history with the models that a forecast would fit, without a database', async () => {
  const csv = join(folder, 'questions.csv');
  const small = ['--cutoffs=2', '--rows=60', '--before=2000', '--horizons=1,2', '--changes=-1,0,1'];
  const report = await replay(...small, '--csv', csv);
  assert.equal(report.log_loss.questions, 12);
  assert.deepEqual(report.settings.models, ['toto', 'arima', 'seasonal_naive', 'mstl']);
  assert.equal(report.coherence.incoherent_pairs, 0);
  assert.equal(report.last_cutoff, '2020-04-15T00:00:00.000Z');
  const lines = (await readFile(csv, 'utf8')).trimEnd().split('\r\n');
  assert.equal(lines.length, 13);
  // The closes of 15 and 16 April 2020 were 2783.36 and 2799.55: up by less than 1 %.
  assert.match(lines[7] ?? '', /^2020-04-15T00:00:00\.000Z,1,-1,2755\.526/);
  assert.match(lines[9] ?? '', /^2020-04-15T00:00:00\.000Z,1,1,.*,2020-04-16T00:00:00\.000Z,2799\.5\d*,0,/);
});

test('refuses an impossible replay before any work', async () => {
  await assert.rejects(replay('--symbol', 'NOPE'), /NOPE/);
  await assert.rejects(replay('--before', '5100'), /has 5105 rows/);
  await assert.rejects(replay('--csv', join(folder, 'none', 'x.csv')), /--csv: .*cannot be written/);
});

test('has the defaults that the documentation describes', async () => {
  assert.deepEqual(await readReplayOptions({}), {
    symbol: '^GSPC',
    cutoffs: 50,
    horizons: [5, 21, 63],
    changes: [-5, -2, 0, 2, 5],
    rows: 1000,
    before: 1260,
    csv: undefined,
  });
});

test('sorts lists and removes repeated values', async () => {
  const { horizons, changes } = await readReplayOptions({ horizons: '21, 5,21', changes: '2.5,-1' });
  assert.deepEqual(horizons, [5, 21]);
  assert.deepEqual(changes, [-1, 2.5]);
});

test('names the option that is wrong', async () => {
  const refuses = (values: Record<string, string>, message: RegExp): Promise<void> =>
    assert.rejects(readReplayOptions(values), (error) => error instanceof UsageError && message.test(error.message));
  await refuses({ cutoffs: '0' }, /--cutoffs must be a whole number from 1 to 500, not 0/);
  await refuses({ cutoffs: '' }, /--cutoffs/);
  await refuses({ rows: '1e3' }, /--rows/);
  await refuses({ before: '12.5' }, /--before/);
  await refuses({ horizons: '5,400' }, /--horizons must be at most 20 whole numbers from 1 to 365/);
  await refuses({ horizons: '5,,7' }, /--horizons/);
  await refuses({ changes: '-100' }, /--changes/);
  await refuses({ changes: Array.from({ length: 21 }, (_, i) => i).join() }, /--changes must be at most 20/);
});
