import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type EvmNode, startEvmNode } from '../../../test/support/chain/evm-node.ts';
import { startNodeProxy } from '../../../test/support/chain/node-proxy.ts';
import { addSet, assertStamped } from '../../../test/support/chain/scene-checks.ts';
import { createStampingScene, STAMPING } from '../../../test/support/chain/stamping-scene.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { outcomeOf } from './send-transactions.ts';

let node: EvmNode;
before(async () => {
  node = await startEvmNode({ automine: false });
});
after(() => node.close());

test('the phrases of common nodes are understood', () => {
  const phrases = {
    sent: [
      'already known',
      'AlreadyKnown',
      'known transaction: […]',
      'existing tx with same hash',
      'ALREADY_EXISTS: already known',
      'Transaction with the same hash was already imported.',
    ],
    used: ['nonce too low: next nonce 5, tx nonce 4', 'Nonce is too low', 'OldNonce', 'old nonce'],
    underpriced: [
      'transaction underpriced',
      'replacement transaction underpriced',
      'FeeTooLow, EffectivePriorityFeePerGas too low 1 < 2',
      'FeeTooLowToCompete',
      'max fee per gas less than block base fee',
    ],
    'out of funds': [
      'insufficient funds for gas * price + value',
      'InsufficientFunds, Balance is 1',
      'not enough funds',
    ],
    refused: ['unknown transaction type', 'nonce too high', 'exceeds block gas limit', ''],
  };
  for (const [outcome, reasons] of Object.entries(phrases)) {
    for (const reason of reasons) assert.equal(outcomeOf(reason), outcome, reason);
  }
});

forEachDatabase(
  'a refused transaction is logged once, whatever numbers the reason has',
  STAMPING,
  async ({ database }) => {
    let refusals = 0;
    let isRefused = false;
    await using proxy = await startNodeProxy(node.url, ({ method, forward }) => {
      if (!isRefused || method !== 'eth_sendRawTransaction') return forward();
      refusals += 1;
      return { error: { code: -32_000, message: `the pool is full: ${refusals} of 9, block 0x${refusals}f` } };
    });
    const scene = await createStampingScene(node, database, { url: proxy.url });
    await addSet(scene);
    isRefused = true;
    await scene.request(2);
    for (let left = 4; left > 0; left--) assert.equal((await scene.round()).waitCode, 'STAMPER_REJECTED');
    assert.equal(refusals, 4);
    assert.equal(scene.logged().split('the node refused a transaction').length - 1, 1);
    isRefused = false;
    await scene.settle();
    await assertStamped(scene);
  },
);
