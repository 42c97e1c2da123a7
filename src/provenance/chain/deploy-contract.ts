import { readFileSync } from 'node:fs';
import { ConfigError } from '../../platform/index.ts';
import { COMMITMENT_SERVICE_ABI } from './contract.ts';
import { createJsonRpc, NodeRefusal, NodeUnavailable } from './json-rpc.ts';

export interface DeploymentOptions {
  /** The address of the JSON-RPC interface of a node. It may contain a key. */
  readonly url: string;
  /** The chain that the caller means. On any other chain, nothing is sent. */
  readonly chainId: number;
  /** The key of the account that pays. It gets no rights: the contract has no owner. */
  readonly privateKey: `0x${string}`;
  /** How many blocks the result must have, including its own. */
  readonly confirmations: number;
}

export interface Deployment {
  readonly address: `0x${string}`;
  readonly transactionHash: `0x${string}`;
  readonly blockNumber: number;
}

/** The time limit of a request to the node. */
const TIMEOUT_MS = 20_000;

const BUILD_FILE = new URL('../../../contracts/CommitmentService.json', import.meta.url);

/**
 * Deploys the commitment contract of this project and waits until it is confirmed. Throws a `ConfigError` of one line that
 * contains neither the address of the node nor a request, because the address may hold a key.
 */
export async function deployCommitmentService(options: DeploymentOptions): Promise<Deployment> {
  try {
    return await deploy(options);
  } catch (error) {
    throw new ConfigError(`The contract could not be deployed: ${describe(error)}`);
  }
}

/** Describes an error in one line. What the node replied is the cause of an error of viem. */
function describe(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NodeUnavailable) return cause.message;
    if (cause instanceof NodeRefusal) return `The node refused a request: ${cause.message} (${cause.code}).`;
  }
  // The full message of viem contains the request.
  const { message, shortMessage = message } = error as Error & { shortMessage?: string };
  return shortMessage.replace(/\s+/g, ' ');
}

async function deploy({ url, chainId, privateKey, confirmations }: DeploymentOptions): Promise<Deployment> {
  // Loaded only here, because most commands and installations do not need it.
  const { createWalletClient, custom, defineChain, formatEther, publicActions } = await import('viem');
  const { privateKeyToAccount } = await import('viem/accounts');
  const rpc = createJsonRpc({ url, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal });
  const transport = custom({ request: ({ method, params = [] }) => rpc(method, params) }, { retryCount: 0 });
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const account = privateKeyToAccount(privateKey);
  const client = createWalletClient({ account, chain, transport }).extend(publicActions);
  const { bytecode } = JSON.parse(readFileSync(BUILD_FILE, 'utf8')) as { bytecode: `0x${string}` };
  const actualId = await client.getChainId();
  if (actualId !== chainId) throw new Error(`The node serves chain ${actualId}, not ${chainId}. Check both settings.`);
  // Without an estimate of the fee, because some nodes refuse to estimate what the balance does not cover.
  const gas = await client.estimateGas({ account: account.address, data: bytecode, prepare: false });
  const { baseFeePerGas } = await client.getBlock();
  // A chain without a base fee knows only a gas price.
  const isLegacy = baseFeePerGas === null;
  const fees = isLegacy ? await client.estimateFeesPerGas({ type: 'legacy' }) : await client.estimateFeesPerGas();
  const cost = gas * (fees.maxFeePerGas ?? fees.gasPrice ?? 0n);
  const balance = await client.getBalance(account);
  if (cost > balance) {
    const amounts = `${formatEther(balance)} of the chain's currency, and ${formatEther(cost)} can be needed`;
    throw new Error(`${account.address} has ${amounts}. Send it the rest.`);
  }
  const hash = await client.deployContract({ abi: COMMITMENT_SERVICE_ABI, bytecode, gas, ...fees });
  const { contractAddress, blockNumber, status } = await client.waitForTransactionReceipt({ hash, confirmations });
  if (status !== 'success' || !contractAddress) throw new Error(`The transaction ${hash} was reverted.`);
  return { address: contractAddress, transactionHash: hash, blockNumber: Number(blockNumber) };
}
