import { createReadStream } from 'node:fs';
import { isSafeWebAddress } from '../../platform/index.ts';
import { FailedCheckError, type LocalCommand, UsageError } from '../command.ts';
import { chainAddressInvalid, contractAddressInvalid, fileUnreadable, proofNotText, proofTooLarge } from '../faults.ts';

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
];

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
