import { createReadStream } from 'node:fs';
import { isSafeWebAddress } from '../../platform/index.ts';
import { FailedCheckError, type LocalCommand, UsageError } from '../command.ts';
import {
  chainAddressInvalid,
  chainIdInvalid,
  contractAddressInvalid,
  fileUnreadable,
  proofNotText,
  proofTooLarge,
} from '../faults.ts';

export const proofCommands: LocalCommand[] = [
  {
    name: 'proof verify',
    arguments: [{ name: 'FILE' }],
    options: {
      chain: {
        type: 'string',
        value: 'URL',
        help: 'the JSON-RPC address of a node of the chain that the receipt names; the receipt is then checked there',
      },
      contract: {
        type: 'string',
        value: 'ADDRESS',
        help: 'the contract that must have recorded the receipt; needs --chain',
        default: 'any contract',
      },
    },
    summary: 'Verifies the proof of a forecast, without a service or database.',
    example: 'proof verify proof.json --chain https://polygon-rpc.example',
    run: (_config, [file = ''], { chain, contract }) =>
      verifyProofFile(file, chain as string | undefined, contract as string | undefined),
  },
  {
    name: 'proof deploy',
    arguments: [],
    options: {
      chain: { type: 'string', value: 'URL', isRequired: true, help: 'the JSON-RPC address of a node of the chain' },
      'chain-id': { type: 'string', value: 'ID', format: 'number', isRequired: true, help: 'the id of the chain' },
      'key-file': {
        type: 'string',
        value: 'FILE',
        isRequired: true,
        help: 'the file with the private key of the account that pays, as 0x and 64 hexadecimal digits',
      },
    },
    summary: 'Deploys the commitment contract of this project on a chain of your own.',
    example: 'proof deploy --chain http://127.0.0.1:8545 --chain-id 31337 --key-file key.txt',
    run: (_config, _args, { chain, 'chain-id': chainId, 'key-file': keyFile }) =>
      deployContract(chain as string, chainId as string, keyFile as string),
  },
];

async function deployContract(url: string, chainId: string, keyFile: string): Promise<object> {
  if (!isSafeWebAddress(url)) throw chainAddressInvalid();
  if (!/^[1-9]\d{0,14}$/.test(chainId)) throw chainIdInvalid();
  const { deployCommitmentService, readKeyFile } = await import('../../provenance/index.ts');
  const privateKey = readKeyFile(keyFile, '--key-file');
  const deployment = await deployCommitmentService({ url, chainId: Number(chainId), privateKey, confirmations: 1 });
  return {
    contract: deployment.address,
    transaction_hash: deployment.transactionHash,
    block_number: deployment.blockNumber,
  };
}

async function verifyProofFile(file: string, url: string | undefined, contract: string | undefined): Promise<object> {
  if (url === undefined && contract !== undefined) throw new UsageError('--contract needs --chain.');
  if (url !== undefined && !isSafeWebAddress(url)) throw chainAddressInvalid();
  if (contract !== undefined && !/^0x[0-9a-f]{40}$/i.test(contract)) throw contractAddressInvalid();
  const { connectChainNode, MAX_PROOF_SIZE, reportProof } = await import('../../provenance/index.ts');
  const chain = url === undefined ? undefined : { node: connectChainNode(url), contract };
  const { report, unchecked } = await reportProof(await readText(file, MAX_PROOF_SIZE), chain);
  if (report.valid && unchecked === null) return report;
  throw new FailedCheckError(report, unchecked ?? `${file} is not a valid proof.`);
}

async function readText(file: string, maxBytes: number): Promise<string> {
  const bytes = await readBytes(file, maxBytes);
  if (bytes.length > maxBytes) throw proofTooLarge(file, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw proofNotText(file);
  }
}

/** Reads at most one byte more than the size limit, because some files, such as devices, have no end. */
async function readBytes(file: string, maxBytes: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = await createReadStream(file, { end: maxBytes }).toArray();
    return Buffer.concat(chunks);
  } catch (error) {
    throw fileUnreadable(file, (error as Error).message);
  }
}
