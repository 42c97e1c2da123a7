import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listenOnLoopback } from '../../support/api/http.ts';
import { callAlmanac } from '../../support/cli/almanac-process.ts';
import { tinyCheckpoints, tinyDataFolder } from '../../support/compute/tiny-checkpoints.ts';
import { dailyPoints, type ForecastService, openForecastService } from '../../support/forecasts/forecast-service.ts';
import { testedKind } from '../../support/platform/database.ts';

describe(`the command line with a service [${testedKind}]`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-forecasting-'));
  const file = join(folder, 'sales.csv');
  let service: ForecastService;
  let server: string;
  let key: string;
  let environment: Record<string, string>;
  const run = (...args: string[]) => callAlmanac([...args, '--server', server, '--key', key], environment);

  before(async () => {
    writeFileSync(
      file,
      `day;sales\n${dailyPoints()
        .map(({ timestamp, value }) => `${timestamp.slice(0, 10)};${String(value).replace('.', ',')}\n`)
        .join('')}`,
    );
    const ALMANAC_TOTO_CHECKPOINT = (await tinyCheckpoints().current()).get('toto')?.id ?? '';
    environment = { ALMANAC_DATA: tinyDataFolder(), ALMANAC_TOTO_CHECKPOINT };
    service = await openForecastService(testedKind, { worker: true });
    server = `http://127.0.0.1:${await listenOnLoopback(service.app)}`;
    key = String((await service.account('enterprise')).credentials.authorization).replace('Bearer ', '');
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a forecast in process has the same digits as through the service', async () => {
    const args = [
      'forecast',
      file,
      '--horizon',
      '6',
      '--models',
      'toto,theta,seasonal_naive',
      '--seed',
      '7',
      '--cutoff',
      '2024-02-05',
    ];
    const [there, here] = await Promise.all([run(...args), callAlmanac(args, environment)]);
    assert.deepEqual([here.code, there.code], [0, 0], here.stderr + there.stderr);
    const [own, stored] = [JSON.parse(here.stdout), JSON.parse(there.stdout)];
    for (const part of [
      'predictions',
      'weighting',
      'historical_validation',
      'effective_weights_by_quantile',
      'members',
      'season',
      'checkpoints',
      'fingerprint',
      'settings',
      'audit',
      'title',
    ] as const) {
      assert.ok(own[part] !== undefined, part);
      assert.deepEqual(own[part], stored[part], part);
    }
    assert.match(stored.forecast_id, /^ef_/);
    assert.match(there.stderr, /The service at http:\/\/127\.0\.0\.1:\d+ makes the forecast ef_/);

    const watched = await run('watch', stored.forecast_id);
    assert.equal(watched.code, 0, watched.stderr);
    assert.deepEqual(JSON.parse(watched.stdout).predictions, own.predictions);
  });

  test('series of the service are searched, described and read', async () => {
    const { results, searched } = JSON.parse((await run('search', 'apple', '--limit', '1')).stdout);
    assert.deepEqual([results[0].series, searched], ['AAPL', server]);
    assert.equal(JSON.parse((await run('describe', 'AAPL')).stdout).title, 'Apple Inc. common stock');
    const history = JSON.parse((await run('history', 'AAPL', '--rows', '2')).stdout);
    assert.deepEqual([history.count, history.rows[1].value, history.truncated], [2, 188.589996, true]);
  });

  test('what the service refuses is one line with the remedy', async () => {
    for (const [args, credential, code, message] of [
      [['watch', 'ef_none'], key, 3, /No forecast has this id/],
      [['history', 'NOSUCH'], key, 3, /NOSUCH/],
      [['forecast', file, '--horizon', '3', '--models', 'magic'], key, 3, /--models: cannot include 'magic'/],
      [['search', 'apple'], 'alm_pat_wrong', 4, /Check --key or ALMANAC_KEY/],
      [['search', 'apple'], null, 4, /needs an API key\. Pass --key, or set ALMANAC_KEY/],
    ] as const) {
      const given = credential === null ? [] : ['--key', credential];
      const ending = await callAlmanac([...args, '--server', server, ...given], environment);
      assert.deepEqual([ending.code, ending.stdout], [code, ''], `${args.join(' ')}: ${ending.stderr}`);
      assert.match(ending.stderr.trimEnd().split('\n').at(-1) ?? '', message);
    }
  });
});
