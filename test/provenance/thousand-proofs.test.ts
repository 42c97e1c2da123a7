import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/platform/index.ts';
import { createChainStamper } from '../../src/provenance/chain/chain-stamper.ts';
import { type Stamper, verifyProof } from '../../src/provenance/index.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { STAMPING } from '../support/chain/stamping-scene.ts';
import { openTestDatabase, testedKind } from '../support/platform/database.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { isSameJson, replaceAt } from '../support/provenance/altered-files.ts';
import { findStampViolations } from '../support/provenance/find-stamp-violations.ts';
import { createProofs, handOver, readProofFiles } from '../support/provenance/proof-files.ts';
import { createCachedNode, findStampProblems } from '../support/provenance/second-verifier.ts';

const CONFIRMATIONS = 12;
const WATCHED_BLOCKS = 64;
const NOW = new Date('2026-03-02T10:00:00Z');

test(`1,000 proofs are stamped in batches, and a second implementation verifies each [${testedKind}]`, async (context) => {
  await using fixture = await openTestDatabase(testedKind, STAMPING);
  await using node = await startEvmNode({ automine: false });
  const { database } = fixture;
  const contract = await node.deployContract();
  const { privateKey, address } = await node.createAccount();
  const stamper = createChainStamper(
    { database, clock: { now: () => NOW }, log: createLog('silent'), perDay: 10_000 },
    {
      url: node.url,
      chainId: node.chainId,
      contract,
      key: privateKey,
      collection: 'almanac',
      confirmations: CONFIRMATIONS,
    },
  );
  const proofs = createProofs(1_000, createSeededRandom(1));
  await handOver(database, proofs, NOW);
  await stampAll(stamper, node);

  assert.deepEqual(await findStampViolations({ database, node, contract, sender: address, proofs }), []);
  const events = await node.loggedEvents(contract);
  assert.equal(events.length, 1_001, 'one event for each proof and one for the set');
  assert.ok(new Set(events.map(({ transactionHash }) => transactionHash)).size <= 6);

  await context.test('every altered byte of a file with a stamp is refused', async () => {
    const [file = ''] = await readProofFiles(database, proofs.slice(0, 1));
    const trusted = { call: createCachedNode(node.url), contract };
    assert.equal(verifyProof(file).valid, true);
    for (let at = 0; at < file.length; at++) {
      const altered = replaceAt(file, at, String.fromCharCode(file.charCodeAt(at) ^ 1));
      if (isSameJson(file, altered)) continue;
      assert.notDeepEqual(await findStampProblems(altered, trusted), [], altered);
    }
  });
});

/** Runs rounds until every stamp is confirmed and no longer watched. */
async function stampAll(stamper: Stamper, node: EvmNode): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  while ((await stamper.runRound({ takesNew: true, signal })).isUnfinished) await node.mine();
  await node.mine(CONFIRMATIONS + WATCHED_BLOCKS);
  await stamper.runRound({ takesNew: true, signal });
}
