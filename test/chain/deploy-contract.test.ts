import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { explainError } from '../../src/cli/explain-error.ts';
import { isRecord } from '../../src/platform/index.ts';
import { deployCommitmentService } from '../../src/provenance/chain/deploy-contract.ts';
import { type EvmNode, startEvmNode } from '../support/chain/evm-node.ts';
import { startNodeProxy } from '../support/chain/node-proxy.ts';

describe('deploying the commitment contract', () => {
  let node: EvmNode;

  before(async () => {
    node = await startEvmNode();
  });
  after(() => node.close());

  it('puts the committed bytes on the chain', async () => {
    const { privateKey } = await node.createAccount();
    const { address, blockNumber } = await deployCommitmentService({ ...connection(), privateKey });
    const build = JSON.parse(
      readFileSync(new URL('../../contracts/CommitmentService.json', import.meta.url), 'utf8'),
    ) as { deployedBytecode: string };
    assert.equal(await node.rpc('eth_getCode', [address, 'latest']), build.deployedBytecode);
    assert.equal(blockNumber, await node.blockNumber());
  });

  it('sends nothing to another chain, or for an account without funds, and names no address in its error', async () => {
    const { privateKey } = await node.createAccount();
    const poor = await node.createAccount(10n ** 12n);
    await using refusing = await startNodeProxy(node.url, ({ method, forward }) =>
      method === 'eth_estimateGas' ? { error: { code: -32_010, message: 'the gas is odd' } } : forward(),
    );
    const before = await node.blockNumber();
    const cases = [
      [{ ...connection(), privateKey, chainId: 1 }, /The node serves chain 31337, not 1\./],
      [{ ...connection(), privateKey: poor.privateKey }, new RegExp(`${poor.address} has 0\\.000001 of .* Send it`)],
      [{ ...connection('http://127.0.0.1:1/secret-key'), privateKey }, /: The address cannot be reached/],
      [{ ...connection(refusing.url), privateKey }, /: The node refused a request: the gas is odd \(-32010\)\.$/],
    ] as const;
    for (const [options, reason] of cases) {
      await assert.rejects(deployCommitmentService(options), (error: Error) => {
        assert.match(error.message, reason);
        assert.match(error.message, /^The contract could not be deployed: /);
        assert.equal(explainError(error), error.message, 'without a stack');
        assert.doesNotMatch(error.message, /\n/);
        assert.doesNotMatch(error.message, /127\.0\.0\.1|secret-key|0x6080/);
        return true;
      });
    }
    assert.equal(await node.blockNumber(), before);
  });

  it('pays a gas price on a chain without a base fee', async () => {
    await using legacy = await startNodeProxy(node.url, async ({ forward }) => {
      const { result, ...rest } = await forward();
      return { ...rest, result: isRecord(result) ? { ...result, baseFeePerGas: undefined } : result };
    });
    const { privateKey } = await node.createAccount();
    const { transactionHash } = await deployCommitmentService({ ...connection(legacy.url), privateKey });
    const { type } = await node.rpc<{ type: string }>('eth_getTransactionByHash', [transactionHash]);
    assert.equal(type, '0x0');
  });

  function connection(url = node.url) {
    return { url, chainId: node.chainId, confirmations: 1 };
  }
});
