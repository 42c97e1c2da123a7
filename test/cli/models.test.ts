import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointFolders, listCheckpoints, manifestOf } from '../../src/compute/index.ts';
import { runAlmanac, spawnAlmanac } from '../support/cli/almanac-process.ts';
import { answerOf, refusalOf } from '../support/cli/command-answer.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { sha256Of, startCheckpointServer, tagOf } from '../support/compute/checkpoint-server.ts';
import { goldenFiles, goldenWith, installFiles } from '../support/compute/golden-checkpoint.ts';

const { config, weights: WEIGHTS } = goldenFiles();
const CONFIG_TEXT = Buffer.from(config).toString();
const SHA256 = sha256Of(WEIGHTS);

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
/** There is no such database: these commands need none. */
const offline = { ALMANAC_DATA: data, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
const bundled = (await listCheckpoints(checkpointFolders(data))).map((one) => ({
  ...manifestOf(one),
  origin: one.origin,
}));

test('without an installed one there is what is bundled, and nothing is made', async () => {
  const [list, verdict] = await Promise.all([
    answerOf(offline, 'models', 'list'),
    answerOf(offline, 'models', 'verify'),
  ]);
  assert.deepEqual(list, { checkpoints: bundled, broken: [], default: { toto: bundled[0]?.id ?? null } });
  assert.deepEqual(verdict, { ok: true, checkpoints: bundled.map(({ id }) => ({ id, ok: true, problems: [] })) });
  assert.ok(!existsSync(data));
});

test('a pull that is interrupted goes on; what it brought is listed, verified and missed', async () => {
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
  assert.match(interrupted.stderr, /almanac: Stopped\. The same command goes on with what has come\.\n$/);

  const { code, stdout, stderr } = await runAlmanac(words, offline);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\{.*\}\n$/, 'one object on one line');
  assert.match(stderr, /^going on after 234752 bytes\n(.* MB\/s\n)*0\.5 of 0\.5 MB, 100 %, .*\n$/);
  const { already_installed, ...pulled } = JSON.parse(stdout);
  assert.deepEqual(
    [already_installed, pulled.sha256, pulled.config_sha256, pulled.size],
    [false, SHA256, sha256Of(CONFIG_TEXT), WEIGHTS.length],
  );
  assert.equal(server.asked[1]?.range, `bytes=${half}-`);

  const other = { ...offline, ALMANAC_TOTO_CHECKPOINT: `other${pulled.id.slice(4)}` };
  const [again, list, otherList, verdict] = await Promise.all([
    answerOf(offline, ...words),
    answerOf(offline, 'models', 'list'),
    answerOf(other, 'models', 'list'),
    answerOf(offline, 'models', 'verify', pulled.id),
  ]);
  assert.deepEqual(again, { ...pulled, already_installed: true });
  const listed = { checkpoints: [{ ...pulled, origin: 'installed' }, ...bundled], broken: [] };
  assert.deepEqual(list, { ...listed, default: { toto: pulled.id } });
  assert.deepEqual(otherList, { ...listed, default: { toto: null } }, 'none takes the place of the one that is set');
  assert.deepEqual(verdict, { ok: true, checkpoints: [{ id: pulled.id, ok: true, problems: [] }] });

  writeFileSync(join(data, 'checkpoints', pulled.id, 'model.safetensors'), 'x');
  const damaged = await runAlmanac(['models', 'verify'], offline);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout, /^\{"ok":false,.*it has 1 bytes.*\}\n$/);
  assert.match(damaged.stderr, /^almanac: A checkpoint is damaged\..*\n$/);
});

test('weights that can be read but not run are neither pulled nor found in order', async () => {
  const { weights } = goldenWith('transformer.layers.1.attn_tau', 1e30);
  await using server = await startCheckpointServer(weights, CONFIG_TEXT);
  const own = { ...offline, ALMANAC_DATA: join(folder, 'out-of-range') };
  const words = ['models', 'pull', 'toto', '--from', server.url, '--sha256', sha256Of(weights)];
  const pulled = await runAlmanac(words, own);
  assert.deepEqual([pulled.code, pulled.stdout], [1, '']);
  assert.match(pulled.stderr, /almanac: The download was removed: .*attn_tau.*\n$/);

  const sound = installFiles(own.ALMANAC_DATA, goldenFiles(), 'sound', new Date('2026-01-01'));
  const bad = installFiles(own.ALMANAC_DATA, { config, weights }, 'bad', new Date('2026-02-01'));
  const verdict = await runAlmanac(['models', 'verify', bad], own);
  assert.equal(verdict.code, 1);
  assert.match(verdict.stdout, /"ok":false.*attn_tau/);
  assert.partialDeepStrictEqual(await answerOf(own, 'models', 'list'), {
    broken: [{ folder: join(own.ALMANAC_DATA, 'checkpoints', bad) }],
    default: { toto: sound },
  });
});

test('what is typed wrongly is refused in one line, and nothing is asked', async () => {
  const mirror = ['--from', 'https://mirror.example/', '--sha256', SHA256];
  const refused = (code: 1 | 2, message: RegExp, ...words: string[]) =>
    refusalOf(offline, code, message, 'models', ...words);
  await Promise.all([
    refused(2, /Only toto has checkpoints to pull/, 'pull', 'ets'),
    refused(1, /--from and --sha256 go together/, 'pull', 'toto', '--from', 'https://mirror.example/'),
    refused(1, /--name must/, 'pull', 'toto', ...mirror, '--name', '../../x'),
    refused(1, /The checkpoint "\.\.\/x" is not here/, 'verify', '../x'),
    refused(2, /Usage: almanac models verify \[ID\]/, 'verify', 'a', 'b'),
  ]);
});
