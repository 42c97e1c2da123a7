import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runCommandLine } from '../../../src/cli/index.ts';
import { callAlmanac } from '../../support/cli/almanac-process.ts';
import { tinyCheckpoints, tinyDataFolder } from '../../support/compute/tiny-checkpoints.ts';
import { dailyPoints } from '../../support/forecasts/forecast-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-forecasting-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'sales.csv');
writeFileSync(
  file,
  `day,sales\n${dailyPoints()
    .map(({ timestamp, value }) => `${timestamp.slice(0, 10)},${value}\n`)
    .join('')}`,
);
const ALMANAC_TOTO_CHECKPOINT = (await tinyCheckpoints().current()).get('toto')?.id ?? '';
const environment = { ALMANAC_DATA: tinyDataFolder(), ALMANAC_TOTO_CHECKPOINT };
const QUICK = ['--models', 'theta,ets', '--horizon', '5'];

const run = (args: readonly string[], columns?: number, input?: string) =>
  callAlmanac(args, environment, input, columns);

test('a file becomes one JSON object with the forecast, the audit and how the file was read', async () => {
  const { code, stdout, stderr } = await run(['forecast', file, ...QUICK]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\{.*\}\n$/);
  const made = JSON.parse(stdout);
  assert.equal(made.title, 'sales: sales');
  assert.deepEqual([made.predictions.length, made.predictions[0].timestamp], [5, '2024-02-10T00:00:00.000Z']);
  assert.deepEqual(made.settings.models, ['ets', 'theta']);
  assert.deepEqual(made.reading.inferred, ['encoding', 'header', 'delimiter', 'time', 'value', 'frequency']);
  assert.equal(made.audit.sentences.length, 2);
  assert.match(stderr, /times in "day" \(--time\); values in "sales" \(--value\); daily rows, 1D \(--frequency\)/);
  assert.match(stderr, /2 of 2 models\n$/, 'the progress is on standard error');
});

test('the fast mode fits its own models without folds', async () => {
  const { code, stdout, stderr } = await run(['forecast', file, '--mode', 'fast', '--horizon', '5']);
  assert.equal(code, 0, stderr);
  const { settings, weighting, audit } = JSON.parse(stdout);
  assert.deepEqual([settings.mode, settings.models], ['fast', ['toto', 'theta', 'seasonal_naive']]);
  assert.deepEqual([weighting.reason, weighting.folds], ['fast_mode', []]);
  assert.ok(audit.warnings.some(({ title }: { title: string }) => title === 'Made in fast mode'));
});

test('a terminal shows a fan chart, a table and the audit, and the chart is written to a file', async () => {
  const svg = join(folder, 'chart.svg');
  const rows = readFileSync(file, 'utf8');
  const { code, stdout } = await run(['forecast', '-', '--models', 'theta', '--svg', svg], 72, rows);
  assert.equal(code, 0);
  assert.match(stdout, /^sales\n/);
  assert.match(stdout, /━━ median {3}░░ 80% interval/);
  assert.match(stdout, /\n +10% +25% +median +75% +90%\nFeb 10, 2024 /);
  assert.match(
    stdout,
    /Mar 10, 2024 .*\n\nOn \d+ days that it had not seen, .*\n.*\n$/,
    '30 days are the usual horizon',
  );
  assert.ok(stdout.split('\n').every((line) => line.startsWith('On ') || line.startsWith('Be ') || line.length <= 72));
  assert.match(readFileSync(svg, 'utf8'), /^<svg[\s\S]*>sales<[\s\S]*<\/svg>\s*$/);
});

test('a bundled series is forecast as of a cutoff, as CSV if that is wanted', async () => {
  const args = ['forecast', 'spx', '--rows', '120', '--cutoff', '2019-01-31', '--csv', ...QUICK];
  const { code, stdout, stderr } = await run(args);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^timestamp,0\.1,0\.25,0\.5,0\.75,0\.9\r\n2019-01-31T00:00:00\.000Z,[\d.,]+\r\n/);
  assert.equal(stdout.trimEnd().split('\r\n').length, 6);
});

test('Ctrl-C ends a command that waits for rows', async () => {
  const stdin = new PassThrough();
  let stderr = '';
  const running = runCommandLine(['forecast', '-', '--server', 'http://127.0.0.1:9'], {
    env: environment,
    stdin,
    stdout: { write: () => assert.fail('nothing is printed') },
    stderr: new Writable({
      write(chunk, _encoding, done) {
        stderr += chunk;
        done();
      },
    }),
  });
  stdin.write('day,sales\n2024-01-01,1\n');
  const waiting = process.listenerCount('SIGINT') === 0 ? once(process, 'newListener') : Promise.resolve();
  await waiting;
  await setImmediate();
  process.emit('SIGINT');
  assert.deepEqual([await running, stderr], [130, 'almanac: Interrupted.\n']);
});

test('the words of a search name bundled series, which are described and read without a service', async () => {
  const { results, searched } = JSON.parse((await run(['search', 'mauna', 'loa'])).stdout);
  assert.deepEqual([results[0].series, searched], ['bundled:mauna-loa-co2', 'bundled']);
  const described = JSON.parse((await run(['describe', results[0].series])).stdout);
  assert.equal(described.frequency, '1ME');
  const history = await run(['history', results[0].series, '--rows', '2', '--csv', '--value', 'co2']);
  assert.match(history.stdout, /^timestamp,value\r\n2020-03-31T00:00:00\.000Z,414\.51\r\n2020-04-30/);
  assert.match(
    (await run(['search', 'apple'], 80)).stdout,
    /^AAPL +Apple Inc\. common stock +1D +2013-05-13 to 2018-05-11\n/m,
  );
  assert.match((await run(['describe', 'AAPL'], 80)).stdout, /^Publisher .*Yahoo Finance/m);
  assert.match((await run(['history', 'AAPL'], 80)).stdout, /\n2018-05-11 +188\.59\n$/);
});

test('every failure is one line with its remedy, and its exit code tells its kind', async () => {
  const directory = join(folder, 'none', 'x.svg');
  for (const [args, code, message] of [
    [['forecast', join(folder, 'none.csv')], 3, /there is no such file\. Check the path/],
    [['forecast', folder], 3, /is a directory\. Name a CSV file in it/],
    [['forecast', file, '--svg', directory], 3, /--svg: .*x\.svg cannot be written: ENOENT/],
    [
      ['forecast', file, '--time', 'date'],
      3,
      /--time: the file has no column "date"\. Its columns are "day" \(timestamp\), "sales" \(number\)/,
    ],
    [['forecast', file, '--time', 'day', '--value', 'day'], 3, /--value: line 2: "2024-01-01" is not a number/],
    [
      ['forecast', file, '--where', 'day=x', '--value', 'sales', '--time', 'day'],
      3,
      /--where: no row of .* has "x" in the column "day"/,
    ],
    [['forecast', file, '--models', 'magic'], 3, /--models: cannot include 'magic'; available: prophet, /],
    [['forecast', file, '--frequency', '1MS'], 3, /--frequency: .* Omit --frequency or set it to 1D/],
    [['forecast', 'bundled:none'], 3, /has no series "none"/],
    [
      ['forecast', 'NOSUCH'],
      5,
      /neither a file nor a bundled series, and no service is running.*--server URL --key KEY/,
    ],
    [['forecast', 'a\u0000b'], 5, /neither a file nor a bundled series/],
    [['watch', 'ef_1'], 5, /watch needs a service, and none is running/],
    [['search', 'x', '--server', 'http://127.0.0.1:9', '--key', 'k'], 5, /http:\/\/127\.0\.0\.1:9: .*Check --server/],
    [['forecast', file, '--server', 'nowhere'], 2, /--server: is not an address/],
    [['forecast', file, '--horizon', '1.5'], 2, /--horizon must be a whole number from 1 to 365, not "1\.5"/],
    [['forecast', file, '--cutoff', 'soon'], 2, /--cutoff must be a date such as 2024-01-31/],
    [['forecast', file, '--quantiles', '0.5,2'], 2, /--quantiles must be numbers between .*, not "2"/],
    [['forecast', file, '--mode', 'slow'], 2, /--mode must be one of full, fast, not "slow"/],
    [['forecast', file, '--mode', 'fast', '--models', 'ets'], 2, /--mode fast determines the models itself\./],
    [['forecast', file, '--dates', 'last'], 2, /--dates must be one of day_first, month_first, not "last"/],
    [['forecast', file, '--json', '--csv'], 2, /--json and --csv exclude each other/],
    [['forecast'], 2, /Usage: almanac forecast FILE/],
  ] as const) {
    const ending = await run(args);
    const name = args.join(' ').replaceAll(folder, '…');
    assert.deepEqual([ending.code, ending.stdout], [code, ''], `${name}: ${ending.stderr}`);
    assert.match(ending.stderr.trimEnd().split('\n').at(-1) ?? '', /^almanac: /, name);
    assert.match(ending.stderr, message, name);
  }
});
