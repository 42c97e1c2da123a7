import { createReadStream } from 'node:fs';
import { FailedCheckError, type LocalCommand } from '../command.ts';
import { fileUnreadable, proofNotText, proofTooLarge } from '../faults.ts';

export const proofCommands: LocalCommand[] = [
  {
    name: 'proof verify',
    arguments: [{ name: 'FILE' }],
    options: {},
    summary: 'Verifies the proof of a forecast, without a service or database.',
    example: 'proof verify proof.json',
    run: (_config, [file = '']) => verifyProofFile(file),
  },
];

async function verifyProofFile(file: string): Promise<object> {
  const { MAX_PROOF_SIZE, verifyProof } = await import('../../provenance/index.ts');
  const verdict = verifyProof(await readText(file, MAX_PROOF_SIZE));
  if (verdict.valid) return verdict;
  throw new FailedCheckError(verdict, `${file} is not a valid proof.`);
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
