import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { executeOperation } from '../../src/cli/run-operation.ts';
import { createFoundation, MIGRATIONS, startWorker } from '../../src/compose/index.ts';
import { ConfigError, createLog, type Database, systemClock } from '../../src/platform/index.ts';
import { countProofs, createStampRun, requestStamps } from '../../src/provenance/index.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { createStampingScene } from '../support/chain/stamping-scene.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

describe('the worker that stamps proofs', () => {
  const folder = temporaryFolder();
  const log = createLog('silent');
  let node: EvmNode;
  let fixture: TestDatabase;
  let database: Database;
  let environment: Record<string, string>;

  before(async () => {
    node = await startEvmNode();
    fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS, queue: true });
    database = fixture.database;
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, (await node.createAccount()).privateKey);
    environment = {
      ALMANAC_DATA: folder,
      ALMANAC_CHAIN_URL: node.url,
      ALMANAC_CHAIN_ID: String(node.chainId),
      ALMANAC_CHAIN_CONTRACT: await node.deployContract(),
      ALMANAC_CHAIN_KEY_FILE: keyFile,
      ALMANAC_CHAIN_CONFIRMATIONS: '1',
    };
  });
  after(async () => {
    await fixture[Symbol.asyncDispose]();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const foundationWith = (changes: Record<string, string> = {}) =>
    createFoundation({ config: loadTestConfig({ ...environment, ...changes }), log, database });

  const start = async (changes: Record<string, string> = {}) => {
    const worker = await startWorker(foundationWith(changes));
    return { [Symbol.asyncDispose]: () => worker.stop({ timeoutMs: 1_000 }) };
  };

  test('does not start on another chain, without a contract or with an invalid key', async () => {
    const empty = join(folder, 'empty');
    writeFileSync(empty, 'hunter2');
    const cases: [Record<string, string>, RegExp][] = [
      [{ ALMANAC_CHAIN_ID: '1' }, /^ALMANAC_CHAIN_ID: /],
      [{ ALMANAC_CHAIN_CONTRACT: `0x${'00'.repeat(19)}99` }, /^ALMANAC_CHAIN_CONTRACT: /],
      [{ ALMANAC_CHAIN_KEY_FILE: empty }, /^ALMANAC_CHAIN_KEY_FILE: (?!.*hunter2)/],
    ];
    for (const [changes, message] of cases) {
      await assert.rejects(start(changes), (error) => error instanceof ConfigError && message.test(error.message));
    }
  });

  test('runs are scheduled every minute while proofs are stamped, and no longer', async () => {
    const schedules = async () => {
      const { rows } = await sql<{ cron: string }>`SELECT cron FROM queue.schedule WHERE name = 'stamping'`.execute(
        database.query(),
      );
      return rows.map(({ cron }) => cron);
    };
    {
      await using _ = await start();
      assert.deepEqual(await schedules(), ['* * * * *']);
    }
    const worker = await startWorker(
      createFoundation({ config: loadTestConfig({ ALMANAC_DATA: folder }), log, database }),
    );
    await worker.stop({ timeoutMs: 1_000 });
    assert.deepEqual(await schedules(), []);
  });

  test('starts although the chain cannot be reached, and proofs wait', async () => {
    await requestStamps(
      database,
      [{ contentCid: `0x${'01'.repeat(32)}`, kind: 'forecast', subject: 'ef_1' }],
      new Date(),
    );
    await using _ = await start({ ALMANAC_CHAIN_URL: 'http://127.0.0.1:1' });
    for (let left = 200; ; left -= 1) {
      const { pending, waiting } = await countProofs(database);
      if (waiting.STAMPER_UNREACHABLE === 1 && pending === 1) break;
      assert.ok(left > 0, 'the proof waits with its reason');
      await sleep(50);
    }
  });

  test('a run adds the set, stamps what waits and logs one line', async () => {
    await using scene = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
    const { request, stamper, logged, statuses } = await createStampingScene(node, scene.database, {
      confirmations: 1,
    });
    await request(3);
    const lines: string[] = [];
    const runLog = createLog('info', { write: (line: string) => lines.push(line) } as never);
    await createStampRun({ clock: systemClock, log: runLog, stamper, pauseMs: 10 })(new AbortController().signal);
    assert.deepEqual(await statuses(), { stamped: 3 });
    assert.equal(lines.length, 1, lines.join(''));
    assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), {
      sent: 3,
      stamped: 3,
      msg: 'proofs were sent to be stamped, or their stamps were confirmed',
    });
    assert.doesNotMatch(logged(), /"level":[45]0/);
  });

  test('proof status counts the proofs, and proof stamp refuses what it cannot do', async () => {
    const foundation = foundationWith();
    const status = await executeOperation(foundation, 'proof status', {});
    assert.partialDeepStrictEqual(status, {
      stamper: 'chain',
      selection: 'accounts',
      stamps_per_day: 10_000,
      pending: 1,
    });
    const stamp = (input: object, by = foundation) => executeOperation(by, 'proof stamp', input);
    await assert.rejects(stamp({ id: 'ef_unknown' }), /No completed forecast and no event has the id ef_unknown\./);
    await assert.rejects(stamp({ since: 'yesterday' }), /since: must be a date such as 2026-01-01/);
    const unconfigured = createFoundation({ config: loadTestConfig({ ALMANAC_DATA: folder }), log, database });
    await assert.rejects(
      stamp({ since: '2026-01-01' }, unconfigured),
      /Proofs cannot be stamped: set ALMANAC_VBASE_KEY/,
    );
    assert.deepEqual(await stamp({ since: '2026-01-01' }), {
      forecasts: { found: 0, requested: 0 },
      event_revisions: { revisions: 0, prepared: 0, requested: 0 },
    });
    for (const words of [
      ['proof', 'stamp'],
      ['proof', 'stamp', 'ef_1', '--since', '2026-01-01'],
    ]) {
      const { code, stderr } = await callAlmanac(words, environment);
      assert.deepEqual([code, /^almanac: Give either the id/.test(stderr)], [2, true], stderr);
    }
  });

  test('proof deploy puts the contract on the chain', async () => {
    const { ALMANAC_CHAIN_KEY_FILE: keyFile = '' } = environment;
    const options = ['--chain', node.url, '--chain-id', String(node.chainId), '--key-file', keyFile];
    const { code, stdout } = await callAlmanac(['proof', 'deploy', ...options], {});
    assert.equal(code, 0);
    const { contract } = JSON.parse(stdout);
    assert.notEqual(await node.rpc('eth_getCode', [contract, 'latest']), '0x');
    const refused = await callAlmanac(['proof', 'deploy', ...options.with(3, '1')], {});
    assert.match(refused.stderr, /The node serves chain 31337, not 1\./);
  });
});
