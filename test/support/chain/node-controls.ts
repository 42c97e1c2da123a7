import { readFileSync } from 'node:fs';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { type Rpc, RpcError } from './json-rpc.ts';
import { type LoggedEvent, readLoggedEvents } from './logged-events.ts';

export type Hex = `0x${string}`;

export interface EvmAccount {
  readonly privateKey: Hex;
  readonly address: Hex;
}

export interface NodeControls {
  /** Mines blocks, by default one. The first contains the pending transactions that pay the base fee. */
  mine(blocks?: number): Promise<void>;
  setAutomine(isOn: boolean): Promise<void>;
  /** Removes a pending transaction. Returns false if the transaction is mined or unknown. */
  drop(hash: string): Promise<boolean>;
  /** Returns an id for `revert`. */
  snapshot(): Promise<string>;
  /**
   * Restores the chain as it was at the snapshot, as a reorganization would, with its balances, nonces and pending
   * transactions. Transactions that came later are gone, from the pool as well. A snapshot can be restored once.
   */
  revert(snapshot: string): Promise<void>;
  /** Sets the time of the next block, in seconds; it must be later than that of the last one. */
  setNextBlockTime(seconds: number): Promise<void>;
  setBalance(address: string, wei: bigint): Promise<void>;
  /** Sets the base fee of the next block, in wei. */
  setNextBaseFee(wei: bigint): Promise<void>;
  blockNumber(): Promise<number>;
  /** Creates a key and gives its address a balance, by default 100 ether. */
  createAccount(wei?: bigint): Promise<EvmAccount>;
  /** Deploys the committed build of the contract and returns its address. Without automine, it mines a block. */
  deployContract(): Promise<Hex>;
  /** Returns all AddSet and AddSetObject events of a contract, oldest first, decoded without the code of the service. */
  loggedEvents(contract: string): Promise<LoggedEvent[]>;
}

const BUILD_FILE = new URL('../../../contracts/CommitmentService.json', import.meta.url);

/** Returns functions that steer a hardhat node. */
export function createControls(rpc: Rpc): NodeControls {
  const controls: NodeControls = {
    mine: async (blocks = 1) => void (await rpc('hardhat_mine', [toHex(blocks)])),
    setAutomine: async (isOn) => void (await rpc('evm_setAutomine', [isOn])),
    drop: (hash) => rpc<boolean>('hardhat_dropTransaction', [hash]).catch(falseIfMined),
    snapshot: () => rpc<string>('evm_snapshot'),
    async revert(snapshot) {
      if (!(await rpc<boolean>('evm_revert', [snapshot]))) throw new Error(`There is no snapshot ${snapshot}.`);
    },
    setNextBlockTime: async (seconds) => void (await rpc('evm_setNextBlockTimestamp', [toHex(seconds)])),
    setBalance: async (address, wei) => void (await rpc('hardhat_setBalance', [address, toHex(wei)])),
    setNextBaseFee: async (wei) => void (await rpc('hardhat_setNextBlockBaseFeePerGas', [toHex(wei)])),
    blockNumber: async () => Number(await rpc<Hex>('eth_blockNumber')),
    async createAccount(wei = 100n * 10n ** 18n) {
      const privateKey = generatePrivateKey();
      const address = privateKeyToAddress(privateKey);
      await controls.setBalance(address, wei);
      return { privateKey, address };
    },
    async deployContract() {
      const { bytecode } = JSON.parse(readFileSync(BUILD_FILE, 'utf8')) as { bytecode: Hex };
      // The node holds the key of this account.
      const [from] = await rpc<Hex[]>('eth_accounts');
      const hash = await rpc<Hex>('eth_sendTransaction', [{ from, data: bytecode }]);
      if (!(await rpc<boolean>('hardhat_getAutomine'))) await controls.mine();
      const receipt = await rpc<{ contractAddress: Hex } | null>('eth_getTransactionReceipt', [hash]);
      if (receipt === null) throw new Error('The contract was not deployed.');
      return receipt.contractAddress;
    },
    loggedEvents: (contract) => readLoggedEvents(rpc, contract),
  };
  return controls;
}

function falseIfMined(error: unknown): false {
  if (error instanceof RpcError && error.message.includes('already mined')) return false;
  throw error;
}

function toHex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}
