import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from './config-error.ts';
import { inspectSettings } from './inspect-settings.ts';
import { watchSecretFiles } from './live-config.ts';
import { findUnknownSettings, loadConfig } from './load-config.ts';
import { fileVariable, readSecretVariable, SECRET_SETTING_NAMES } from './secret-files.ts';
import { SETTINGS } from './settings.ts';
import { passwordOf, withoutPassword } from './url-passwords.ts';

const folder = mkdtempSync(join(tmpdir(), 'almanac-secret-files-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;

/** Writes a file and returns its path. */
function fileOf(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `secret-${files}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://ann:hunter2@db.example/almanac',
  DATABASE_DIRECT_URL: 'postgres://ann:hunter2@db.example/almanac',
  ALMANAC_SMTP_URL: 'smtp://ann:hunter2@mail.example',
  ALMANAC_FRED_KEY: 'f'.repeat(32),
  ALMANAC_CHAIN_URL: 'https://node.example/hunter2',
};
const OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://db.example/almanac' },
  ALMANAC_SMTP_URL: { ALMANAC_MAIL_FROM: 'a@mail.example' },
};

test('every secret setting can be in a file', () => {
  for (const name of SECRET_SETTING_NAMES) {
    const value = EXAMPLES[name] ?? 'hunter2';
    const variable = fileVariable(name);
    const { settings, problems } = inspectSettings({ ...OTHERS[name], [variable]: fileOf(`${value}\n`) });
    const found = settings.find((one) => one.name === name);
    assert.equal(found?.source, 'file', name);
    assert.doesNotMatch(`${found.value} ${problems.join(' ')}`, /hunter2|fff/, name);
    assert.deepEqual(findUnknownSettings({ [variable]: 'x' }), []);
  }
  const config = loadConfig({ ALMANAC_FRED_KEY_FILE: fileOf(`${'f'.repeat(32)}\n`) });
  assert.equal(config.economic.fred.key, 'f'.repeat(32));
  assert.equal(config.secretFiles[0]?.name, 'ALMANAC_FRED_KEY');
});

test('every setting with the name of a secret is marked as one, or names a file', () => {
  // A new secret setting must be marked, so that it can be in a file and is not shown.
  const named = Object.keys(SETTINGS).filter((name) =>
    /KEY|SECRET|PASSWORD|TOKEN|CREDENTIALS|SMTP_URL|DATABASE_.*URL/.test(name),
  );
  const marked = SECRET_SETTING_NAMES as readonly string[];
  assert.deepEqual(
    named.filter((name) => !marked.includes(name)),
    ['ALMANAC_BIGQUERY_CREDENTIALS', 'ALMANAC_CHAIN_KEY_FILE'],
  );
});

test('refuses a bad file in one line that names it and the remedy, without its content', () => {
  const refusal = (environment: Record<string, string>): string => {
    try {
      loadConfig(environment);
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message;
    }
    return assert.fail('accepted');
  };
  for (const [path, problem] of [
    [join(folder, 'missing'), 'does not exist'],
    [folder, 'is not a file'],
    [fileOf(''), 'is empty'],
    [fileOf(' \n'), 'is empty'],
    [fileOf('hunter2\nhunter3\n'), 'is not one line of text'],
    [fileOf(Buffer.from([0x68, 0xff])), 'is not one line of text'],
    [fileOf('h'.repeat(16 * 1024 + 1)), 'is larger than 16384 bytes'],
  ] as const) {
    const message = refusal({ ALMANAC_MASSIVE_KEY_FILE: path });
    assert.equal(message, `ALMANAC_MASSIVE_KEY_FILE names the file ${JSON.stringify(path)}, which ${problem}.`);
  }
  assert.equal(
    refusal({ ALMANAC_MASSIVE_KEY: 'a', ALMANAC_MASSIVE_KEY_FILE: fileOf('a') }),
    'ALMANAC_MASSIVE_KEY and ALMANAC_MASSIVE_KEY_FILE must not both be set. Keep one of them.',
  );
  assert.match(refusal({ ALMANAC_FRED_KEY_FILE: fileOf('hunter2') }), /^ALMANAC_FRED_KEY must have 32 characters/);
});

test('reads secrets of the command line from files', () => {
  assert.equal(readSecretVariable({ ALMANAC_KEY_FILE: fileOf('alm_x\r\n') }, 'ALMANAC_KEY'), 'alm_x');
  assert.equal(readSecretVariable({ ALMANAC_KEY: '' }, 'ALMANAC_KEY'), undefined);
});

test('takes a changed secret once its files have settled, and keeps the one before if it is bad', () => {
  const [id, secret] = [fileOf('id1'), fileOf('secret1')];
  const environment = { ALMANAC_ALPACA_KEY_ID_FILE: id, ALMANAC_ALPACA_SECRET_FILE: secret };
  const lines: [level: string, details: object][] = [];
  const record = (level: string) => (details: object) => void lines.push([level, details]);
  const log = { info: record('info'), error: record('error') } as never;
  const live = watchSecretFiles(environment, loadConfig(environment), log);
  const key = () => Object.values(live.current().market.alpaca.key ?? {});
  try {
    writeFileSync(id, 'id2\n');
    live.poll();
    assert.deepEqual(key(), ['id1', 'secret1'], 'the other half of the key may follow');
    writeFileSync(secret, 'secret2\n');
    live.poll();
    live.poll();
    assert.deepEqual(key(), ['id2', 'secret2']);
    assert.deepEqual(lines, [['info', { settings: ['ALMANAC_ALPACA_KEY_ID', 'ALMANAC_ALPACA_SECRET'] }]]);

    writeFileSync(secret, 'secret 3');
    for (let times = 0; times < 3; times += 1) live.poll();
    assert.deepEqual(key(), ['id2', 'secret2']);
    assert.deepEqual(
      lines.slice(1).map(([level]) => level),
      ['error'],
      'logged once',
    );
    rmSync(secret);
    for (let times = 0; times < 3; times += 1) live.poll();
    assert.deepEqual(key(), ['id2', 'secret2']);
    writeFileSync(secret, 'secret4');
    for (let times = 0; times < 2; times += 1) live.poll();
    assert.deepEqual(key(), ['id2', 'secret4']);
    assert.doesNotMatch(JSON.stringify(lines), /secret[ \d]/);
  } finally {
    live.close();
  }
});

test('takes the good ones of several changed files, and names the bad one', () => {
  const [fred, massive] = [fileOf('f'.repeat(32)), fileOf('massive1')];
  const environment = { ALMANAC_FRED_KEY_FILE: fred, ALMANAC_MASSIVE_KEY_FILE: massive };
  const lines: unknown[] = [];
  const record = (level: string) => (details: { settings: string[] }) => void lines.push([level, ...details.settings]);
  const live = watchSecretFiles(environment, loadConfig(environment), {
    info: record('info'),
    error: record('error'),
  } as never);
  const settle = () => [1, 2].forEach(() => void live.poll());
  try {
    rmSync(fred);
    settle();
    writeFileSync(massive, 'massive2');
    settle();
    writeFileSync(fred, 'too short');
    writeFileSync(massive, 'massive3');
    settle();
    writeFileSync(fred, 'g'.repeat(32));
    settle();
    assert.equal(live.current().market.massive.key, 'massive3');
    assert.deepEqual(lines, [
      ['error', 'ALMANAC_FRED_KEY'],
      ['info', 'ALMANAC_MASSIVE_KEY'],
      ['info', 'ALMANAC_MASSIVE_KEY'],
      ['error', 'ALMANAC_FRED_KEY'],
      ['info', 'ALMANAC_FRED_KEY'],
    ]);
  } finally {
    live.close();
  }
});

test('new connections get the password that the file has, and other parts of the address stay', () => {
  const path = fileOf('postgres://ann:hunter2@db.example/almanac\n');
  const environment = { DATABASE_URL_FILE: path };
  const errors: object[] = [];
  const live = watchSecretFiles(environment, loadConfig(environment), {
    info: () => undefined,
    error: (details: object) => void errors.push(details),
  } as never);
  try {
    writeFileSync(path, 'postgres://ann:hunter3@db.example/almanac\n');
    assert.equal(passwordOf(live.readDatabaseUrl('DATABASE_URL') ?? ''), 'hunter3');
    writeFileSync(path, 'postgres://ann:50%off@db.example/almanac\n');
    assert.equal(passwordOf(live.readDatabaseUrl('DATABASE_URL') ?? ''), 'hunter2');
    assert.throws(() => loadConfig(environment), /DATABASE_URL must have each % of its user, password/);
    writeFileSync(path, 'postgres://ann:hunter4@other.example/almanac\n');
    assert.equal(passwordOf(live.readDatabaseUrl('DATABASE_URL') ?? ''), 'hunter2');
    live.poll();
    live.poll();
    assert.equal(live.current().databaseUrl, 'postgres://ann:hunter2@db.example/almanac');
    assert.match(JSON.stringify(errors), /Only the password in DATABASE_URL can change/);
  } finally {
    live.close();
  }
});

test('finds the password of an address and removes it', () => {
  for (const [url, password, rest] of [
    ['postgres://ann:p%40ss@db/x', 'p@ss', 'postgres://ann@db/x'],
    ['postgres://ann@db/x?password=p&sslmode=require', 'p', 'postgres://ann@db/x?sslmode=require'],
    ['postgres://db/x', undefined, 'postgres://db/x'],
  ] as const) {
    assert.deepEqual([passwordOf(url), withoutPassword(url)], [password, rest]);
  }
});
