import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectSettings, maskSetting } from './inspect-settings.ts';

test('lists the settings that are set, every invalid one, and unknown names with the nearest setting', () => {
  const environment = {
    PATH: '/bin',
    PORT: 'http',
    HOST: ' ',
    ALMANAC_FIT_THREADS: '2',
    ALMANAC_LOG_LEVEL: 'loud',
    ALMANAC_FIT_THREAD: '2',
    ALMANAC_SOMETHING_ELSE: 'x',
    ALMANAC_KEY: 'of the command line',
  };
  const { settings, problems, unknown } = inspectSettings(environment);
  assert.deepEqual(
    settings.map(({ name, value, source }) => [name, value, source]),
    [
      ['PORT', 'http', 'environment'],
      ['ALMANAC_LOG_LEVEL', 'loud', 'environment'],
      ['ALMANAC_FIT_THREADS', '2', 'environment'],
    ],
  );
  assert.deepEqual(
    problems.map((problem) => problem.split(' ', 2).join(' ')),
    ['PORT must', 'ALMANAC_LOG_LEVEL must'],
  );
  assert.deepEqual(unknown, [
    { name: 'ALMANAC_FIT_THREAD', nearest: 'ALMANAC_FIT_THREADS' },
    { name: 'ALMANAC_SOMETHING_ELSE', nearest: null },
  ]);
});

test('reports settings that contradict each other, as a start does', () => {
  assert.deepEqual(inspectSettings({ ALMANAC_SMTP_URL: 'smtp://mail.example' }).problems, [
    'ALMANAC_MAIL_FROM must be set to the sender when ALMANAC_SMTP_URL is set.',
  ]);
  assert.deepEqual(inspectSettings({}), { settings: [], problems: [], unknown: [] });
});

test('shows no secret, in keys and in URLs, even in those that are written wrong', () => {
  for (const [name, text, shown] of [
    ['ALMANAC_FRED_KEY', 'hunter2', '[secret]'],
    ['ALMANAC_ALPACA_KEY_ID', 'hunter2', '[secret]'],
    ['ALMANAC_ALPACA_SECRET', 'hunter2', '[secret]'],
    ['DATABASE_URL', 'postgres://ann:hunter2@db.example/almanac', 'postgres://ann:[secret]@db.example/almanac'],
    ['DATABASE_URL', 'postgres://db/almanac?password=hunter2', 'postgres://db/almanac?[secret]'],
    ['DATABASE_URL', 'postgres://ann:hunter2@db:port/almanac', '[secret]'],
    ['ALMANAC_SMTP_URL', 'smtps://:hunter2@mail.example', 'smtps://:[secret]@mail.example'],
    ['ALMANAC_CHAIN_URL', 'https://node.example/v3/hunter2', 'https://node.example/[secret]'],
    ['ALMANAC_CHAIN_URL', 'http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['ALMANAC_CHAIN_KEY_FILE', '/etc/almanac/key', '/etc/almanac/key'],
    ['SITE_URL', 'https://almanac.example', 'https://almanac.example'],
  ] as const) {
    assert.equal(maskSetting(name, text), shown);
  }
});
