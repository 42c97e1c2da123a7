import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openStamper } from '../../src/compose/index.ts';
import { stampForecast, stampForecastsSince } from '../../src/forecasts/index.ts';
import { createLog, systemClock } from '../../src/platform/index.ts';
import {
  contentId,
  type ReceiptView,
  type Stamper,
  type StampSelection,
  setCid,
  verifyProof,
} from '../../src/provenance/index.ts';
import { requestAs } from '../support/api/request-as.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { callAlmanac } from '../support/cli/almanac-process.ts';
import { temporaryFolder } from '../support/cli/service.ts';
import {
  type Caller,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { activateJob, computeResult, runAttempt } from '../support/forecasts/run-attempt.ts';
import { testedKind } from '../support/platform/database.ts';
import { loadTestConfig } from '../support/platform/test-config.ts';

const FORECASTS = '/v1/ensemble-forecasts';
const folder = temporaryFolder();

describe('receipts of forecasts over HTTP', () => {
  let node: EvmNode;
  let service: ForecastService;
  let stamper: Stamper;
  let caller: Caller;
  let result: Awaited<ReturnType<typeof computeResult>>;

  before(async () => {
    node = await startEvmNode({ automine: false });
    const account = await node.createAccount();
    const environment = {
      ALMANAC_CHAIN_URL: node.url,
      ALMANAC_CHAIN_ID: String(node.chainId),
      ALMANAC_CHAIN_CONTRACT: await node.deployContract(),
      ALMANAC_CHAIN_KEY_FILE: join(folder, 'key'),
      ALMANAC_CHAIN_CONFIRMATIONS: '2',
    };
    writeFileSync(environment.ALMANAC_CHAIN_KEY_FILE, `${account.privateKey}\n`);
    service = await openForecastService(testedKind, { environment });
    const parts = { database: service.database, clock: systemClock, log: createLog('silent') };
    const opened = await openStamper(loadTestConfig(environment), parts);
    assert.ok(opened);
    stamper = opened;
    caller = await service.account();
    result = await computeResult();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const round = () => stamper.runRound({ takesNew: true, signal: new AbortController().signal });

  /** Runs rounds and mines blocks until nothing is left to do. */
  async function settle(): Promise<void> {
    for (let left = 20; (await round()).isUnfinished; left -= 1) {
      assert.ok(left > 0, 'the stamper ends');
      await node.mine();
    }
  }

  async function complete(by: Caller, body: object = {}): Promise<string> {
    const { data } = await by.request<{ forecast_id: string }>('POST', FORECASTS, { ...inlineRequest(), ...body });
    return run(data.forecast_id);
  }

  async function run(id: string): Promise<string> {
    await runAttempt(service, await activateJob(service.database, id), async () => result);
    return id;
  }

  async function provenanceOf(id: string, by = caller): Promise<ReceiptView> {
    const { data } = await by.request<{ provenance: ReceiptView }>('GET', `${FORECASTS}/${id}`);
    return data.provenance;
  }

  const stateOf = async (id: string, by = caller) => {
    const { status, error_code, receipt } = await provenanceOf(id, by);
    return [status, error_code, receipt === null];
  };

  test('a forecast is pending, stamping and stamped, and its proof verifies on the chain', async () => {
    const id = await complete(caller);
    assert.deepEqual(await stateOf(id), ['pending', null, true]);
    await round();
    await node.mine();
    await round();
    assert.deepEqual(await stateOf(id), ['stamping', null, true]);
    await settle();
    const { status, content_cid, receipt } = await provenanceOf(id);
    assert.equal(status, 'stamped');
    assert.partialDeepStrictEqual(receipt, {
      object_cid: content_cid,
      set_cid: setCid('almanac'),
      chain_id: node.chainId,
      user_address: stamper.userAddress,
    });
    assert.ok(receipt !== null && !('user_label' in receipt));

    const { body, data } = await caller.request<{ content_cid: string; document: { hash: string; salt: string } }>(
      'GET',
      `${FORECASTS}/${id}/proof`,
    );
    assert.equal(data.content_cid, content_cid);
    assert.equal(data.document.hash, 'sha3-256');
    assert.match(data.document.salt, /^[0-9a-f]{64}$/);
    assert.partialDeepStrictEqual(verifyProof(body), { valid: true, receipt: 'stamped', unknown_fields: [] });
    const file = join(folder, 'proof.json');
    writeFileSync(file, body);
    const { code, stdout } = await callAlmanac(['proof', 'verify', file, '--chain', node.url], {});
    const report = JSON.parse(stdout);
    assert.deepEqual([code, report.valid, report.problems], [0, true, []]);
    assert.equal(report.chain.timestamp, receipt.timestamp);
  });

  test('an unchanged forecast has another ETag once it is stamped', async () => {
    const id = await complete(caller);
    const tagOf = async () => (await caller.request('GET', `${FORECASTS}/${id}`)).headers.etag;
    const pending = await tagOf();
    await settle();
    assert.notEqual(await tagOf(), pending);
  });

  test('each run has its own receipt, and a reproduction does not change that of the original', async () => {
    const id = await complete(caller);
    const again = await caller.request<{ forecast_id: string }>('POST', `${FORECASTS}/${id}/reproduce`);
    const copy = await run(again.data.forecast_id);
    const before = await provenanceOf(id);
    await settle();
    const [original, reproduced] = [await provenanceOf(id), await provenanceOf(copy)];
    assert.equal(original.content_cid, before.content_cid);
    assert.notEqual(original.content_cid, reproduced.content_cid);
    assert.deepEqual([original.status, reproduced.status], ['stamped', 'stamped']);
  });

  test('the forecast of a guest is stamped once an account saves it', async () => {
    const guest = await service.guest();
    const id = await complete(guest);
    assert.deepEqual(await stateOf(id, guest), ['unavailable', 'NOT_SELECTED', true]);
    const prepared = await guest.request('POST', `${FORECASTS}/${id}/prepare-save`);
    const [cookie = ''] = prepared.cookies;
    const browser = requestAs(service.app, { ...caller.credentials, cookie: cookie.split(';')[0] ?? '' });
    const saved = await browser('POST', `${FORECASTS}/${id}/save`);
    assert.equal(saved.status, 200, saved.body);
    assert.deepEqual(await stateOf(id), ['pending', null, true]);
    await settle();
    assert.equal((await provenanceOf(id)).status, 'stamped');
  });

  test('older forecasts are handed over by their dates, if the policy selects them', async () => {
    const { database } = service;
    const guest = await service.guest();
    const [older, newer] = [await complete(caller), await complete(caller)];
    const ofGuest = await complete(guest);
    await sql`DELETE FROM proof WHERE subject IN (${older}, ${newer})`.execute(database.query());
    const { rows } = await sql<{ since: Date }>`
      SELECT finished_at AS since FROM forecast WHERE id = ${newer}`.execute(database.query());
    const since = rows[0]?.since ?? new Date(0);
    await sql`UPDATE forecast SET finished_at = ${since}::timestamptz - interval '1 second' WHERE id = ${older}`.execute(
      database.query(),
    );
    const hand = (selection: StampSelection) =>
      stampForecastsSince(database, { isConfigured: true, selection }, since, new Date());
    const codes = async () =>
      Promise.all([provenanceOf(older), provenanceOf(newer), provenanceOf(ofGuest, guest)]).then((all) =>
        all.map(({ status }) => status),
      );
    await hand('public');
    assert.deepEqual(await codes(), ['unavailable', 'unavailable', 'unavailable']);
    assert.equal((await hand('accounts')).requested, 1);
    assert.deepEqual(await codes(), ['unavailable', 'pending', 'unavailable']);
    assert.equal((await hand('all')).requested, 1);
    assert.deepEqual(await codes(), ['unavailable', 'pending', 'pending']);
    assert.equal((await hand('all')).requested, 0);
  });

  test('a forecast that an earlier build completed verifies, and can be stamped', async () => {
    const { database } = service;
    const id = await complete(caller);
    const proofOf = () => caller.request<{ document: Record<string, unknown> }>('GET', `${FORECASTS}/${id}/proof`);
    const { hash: _hash, salt: _salt, ...document } = (await proofOf()).data.document;
    await sql`DELETE FROM proof WHERE subject = ${id}`.execute(database.query());
    await sql`UPDATE forecast SET proof_hash = NULL, proof_salt = NULL, content_cid = ${contentId(document)}
      WHERE id = ${id}`.execute(database.query());
    assert.deepEqual(await stateOf(id), ['unavailable', 'NOT_SELECTED', true]);
    assert.partialDeepStrictEqual(verifyProof((await proofOf()).body), { valid: true, receipt: 'unavailable' });
    assert.deepEqual(await stampForecast(database, id, new Date()), { found: 1, requested: 1 });
    await settle();
    assert.partialDeepStrictEqual(verifyProof((await proofOf()).body), { valid: true, receipt: 'stamped' });
  });

  test('a proof that no longer has its stored id is an error with a log line', async () => {
    const id = await complete(caller);
    await sql`UPDATE forecast SET finished_at = finished_at + interval '1 second' WHERE id = ${id}`.execute(
      service.database.query(),
    );
    const { status, code, body } = await caller.request('GET', `${FORECASTS}/${id}/proof`);
    assert.deepEqual([status, code], [500, 'INTERNAL']);
    assert.ok(!body.includes('0x'));
    assert.match(service.logged(), new RegExp(`"level":50.*The stored rows of the forecast ${id} have changed`));
  });
});
