import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EVM_FOLDER, installEvm } from '../../../scripts/tests/install-evm.ts';
import { createRpc, type Rpc } from './json-rpc.ts';
import { createControls, type NodeControls } from './node-controls.ts';

export interface EvmNodeOptions {
  /** Whether a transaction is mined as soon as it is accepted; true by default. */
  readonly automine?: boolean;
  readonly chainId?: number;
  /** The time of the first block; the present by default. */
  readonly startsAt?: Date;
}

export interface EvmNode extends NodeControls, AsyncDisposable {
  readonly url: string;
  readonly chainId: number;
  /** Calls a method. Throws an `RpcError` if the node replies with an error. */
  readonly rpc: Rpc;
  close(): Promise<void>;
}

/**
 * Starts a real EVM node in this process: hardhat's simulated network, which listens on a free port of 127.0.0.1. It
 * registers no handlers of signals, writes no files, and after `close` nothing of it keeps the process alive.
 *
 * Its errors have the HTTP status 200 and the code -32000. `test/chain/evm-node.test.ts` has its replies to
 * transactions. They differ from those of common nodes:
 * - With automine on, there is no pool: a known transaction is "Nonce too low", and a future nonce is refused. A
 *   transaction mines blocks until those that were pending are mined, forever if one offers less than the lowest base
 *   fee (7 wei). Tests of delays therefore keep automine off and call `mine`.
 * - With automine off, a transaction below the base fee is accepted and stays in the pool, but the pending nonce of its
 *   sender does not count it.
 * - `revert` restores the pool of the snapshot, whereas a node returns transactions of a lost block to its pool.
 * - Empty blocks lower the base fee, by an eighth each.
 */
export async function startEvmNode(options: EvmNodeOptions = {}): Promise<EvmNode> {
  const { automine = true, chainId = 31_337, startsAt } = options;
  await installEvm();
  const hardhat = await loadHardhat();
  const network = {
    type: 'edr-simulated',
    chainId,
    mining: { auto: automine },
    // A real node returns the hash of a transaction that will revert.
    throwOnTransactionFailures: false,
    ...(startsAt === undefined ? {} : { initialDate: startsAt }),
  };
  const environment = await hardhat.createHardhatRuntimeEnvironment({ networks: { node: network } }, {}, EVM_FOLDER);
  const server = await environment.network.createServer({ network: 'node' }, '127.0.0.1', 0);
  const { port } = await server.listen();
  const url = `http://127.0.0.1:${port}`;
  const close = () => server.close();
  const rpc = createRpc(url);
  return { url, chainId, rpc, ...createControls(rpc), close, [Symbol.asyncDispose]: close };
}

/** The part of hardhat that the tests use; its own types are not installed where the types are checked. */
interface Hardhat {
  createHardhatRuntimeEnvironment(
    config: object,
    globalOptions: object,
    projectRoot: string,
  ): Promise<{ readonly network: { createServer(network: object, host: string, port: number): Promise<NodeServer> } }>;
}

interface NodeServer {
  listen(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

async function loadHardhat(): Promise<Hardhat> {
  const file = createRequire(path.join(EVM_FOLDER, 'package.json')).resolve('hardhat/hre');
  return (await import(pathToFileURL(file).href)) as Hardhat;
}
