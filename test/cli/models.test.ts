import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointFolders, listCheckpoints, openEngineBundles, toManifest } from '../../src/compute/index.ts';
import { callAlmanac, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { assertFails, resultOf } from '../support/cli/command-result.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { sha256Of, startCheckpointServer, tagOf } from '../support/compute/checkpoint-server.ts';
import { goldenFiles, goldenWith, installFiles } from '../support/compute/golden-checkpoint.ts';

const { config, weights: WEIGHTS } = goldenFiles();
const CONFIG_TEXT = Buffer.from(config).toString();
const SHA256 = sha256Of(WEIGHTS);

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

/** Settings with an empty data folder and a database that does not exist: these commands need none. */
function offlineWith(name: string) {
  return { ALMANAC_DATA: join(folder, name), DATABASE_URL: 'postgres://127.0.0.1:1/none' };
}

const bundled = (await listCheckpoints(checkpointFolders(join(folder, 'none')))).map((one) => ({
  ...toManifest(one),
  origin: one.origin,
}));
const engineBundles = openEngineBundles();
const recorded = (await engineBundles.list()).map(({ version, sha256 }) => ({ version, sha256 }));
const engines = { present: engineBundles.present, bundles: recorded };

test('lists and verifies the bundled checkpoints, and creates nothing', async () => {
  const offline = offlineWith('untouched');
  const [list, verdict] = await Promise.all([
    resultOf(offline, 'models', 'list'),
    resultOf(offline, 'models', 'verify'),
  ]);
  assert.ok(recorded.length > 0);
  assert.deepEqual(list, { checkpoints: bundled, broken: [], default: { toto: bundled[0]?.id ?? null }, engines });
  assert.deepEqual(verdict, {
    ok: true,
    checkpoints: bundled.map(({ id }) => ({ id, ok: true, problems: [] })),
    engines: recorded.map(({ version }) => ({ version, ok: true, problems: [] })),
  });
  assert.ok(!existsSync(offline.ALMANAC_DATA));
});

test('resumes an interrupted pull, and lists and verifies the installed checkpoint', async () => {
  const offline = offlineWith('pulled');
  const data = offline.ALMANAC_DATA;
  await using server = await startCheckpointServer(WEIGHTS, CONFIG_TEXT);
  const words = ['models', 'pull', 'toto', '--from', server.url, '--sha256', SHA256, '--name', 'tiny'];
  const half = WEIGHTS.length / 2;
  server.script.push((_request, response) => {
    response
      .writeHead(200, { etag: tagOf(WEIGHTS), 'content-length': WEIGHTS.length })
      .write(WEIGHTS.subarray(0, half));
  });
  const first = spawnAlmanac('src/cli/almanac.ts', words, offline);
  const part = join(data, 'checkpoints/.downloads', `${SHA256}.part`);
  while (!existsSync(part) || readFileSync(part).length < half) await sleep(50);
  first.child.kill('SIGINT');
  const interrupted = await first.ended;
  assert.deepEqual([interrupted.code, interrupted.stdout], [1, '']);
  assert.match(interrupted.stderr, /almanac: Stopped\. Run the same command to resume the download\.\n$/);

  const { code, stdout, stderr } = await callAlmanac(words, offline);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\{.*\}\n$/, 'one object on one line');
  assert.match(stderr, /^resuming after 234752 bytes\n(.* MB\/s\n)*0\.5 of 0\.5 MB, 100 %, .*\n$/);
  const { already_installed, ...pulled } = JSON.parse(stdout);
  assert.deepEqual(
    [already_installed, pulled.sha256, pulled.config_sha256, pulled.size],
    [false, SHA256, sha256Of(CONFIG_TEXT), WEIGHTS.length],
  );
  assert.equal(server.requests[1]?.range, `bytes=${half}-`);

  const other = { ...offline, ALMANAC_TOTO_CHECKPOINT: `other${pulled.id.slice(4)}` };
  const [again, list, otherList, verdict] = await Promise.all([
    resultOf(offline, ...words),
    resultOf(offline, 'models', 'list'),
    resultOf(other, 'models', 'list'),
    resultOf(offline, 'models', 'verify', pulled.id),
  ]);
  assert.deepEqual(again, { ...pulled, already_installed: true });
  const listed = { checkpoints: [{ ...pulled, origin: 'installed' }, ...bundled], broken: [], engines };
  assert.deepEqual(list, { ...listed, default: { toto: pulled.id } });
  assert.deepEqual(otherList, { ...listed, default: { toto: null } }, 'no other takes the place of the configured one');
  assert.deepEqual(verdict, { ok: true, checkpoints: [{ id: pulled.id, ok: true, problems: [] }] });

  writeFileSync(join(data, 'checkpoints', pulled.id, 'model.safetensors'), 'x');
  const damaged = await callAlmanac(['models', 'verify'], offline);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout, /^\{"ok":false,.*it has 1 bytes.*\}\n$/);
  assert.match(damaged.stderr, /^almanac: A checkpoint or an engine is damaged\..*\n$/);
});

test('refuses weights that can be read but not run, in a pull and in a verification', async () => {
  const { weights } = goldenWith('transformer.layers.1.attn_tau', 1e30);
  await using server = await startCheckpointServer(weights, CONFIG_TEXT);
  const offline = offlineWith('out-of-range');
  const words = ['models', 'pull', 'toto', '--from', server.url, '--sha256', sha256Of(weights)];
  const pulled = await callAlmanac(words, offline);
  assert.deepEqual([pulled.code, pulled.stdout], [1, '']);
  assert.match(pulled.stderr, /almanac: The download was removed: .*attn_tau.*\n$/);

  const sound = installFiles(offline.ALMANAC_DATA, goldenFiles(), 'sound', new Date('2026-01-01'));
  const bad = installFiles(offline.ALMANAC_DATA, { config, weights }, 'bad', new Date('2026-02-01'));
  const verdict = await callAlmanac(['models', 'verify', bad], offline);
  assert.equal(verdict.code, 1);
  assert.match(verdict.stdout, /"ok":false.*attn_tau/);
  assert.partialDeepStrictEqual(await resultOf(offline, 'models', 'list'), {
    broken: [{ folder: join(offline.ALMANAC_DATA, 'checkpoints', bad) }],
    default: { toto: sound },
  });
});

test('names a wrong argument or option in one line', async () => {
  const mirror = ['--from', 'https://mirror.example/', '--sha256', SHA256];
  const fails = (code: 1 | 2, message: RegExp, ...words: string[]) =>
    assertFails(offlineWith('refused'), code, message, 'models', ...words);
  await Promise.all([
    fails(2, /Only toto has checkpoints to pull/, 'pull', 'ets'),
    fails(1, /--from and --sha256 must be given together/, 'pull', 'toto', '--from', 'https://mirror.example/'),
    fails(1, /--name must/, 'pull', 'toto', ...mirror, '--name', '../../x'),
    fails(1, /No checkpoint has the id "\.\.\/x"/, 'verify', '../x'),
    fails(2, /Usage: almanac models verify \[ID\]/, 'verify', 'a', 'b'),
  ]);
});
