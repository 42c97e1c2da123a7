import { createReadStream } from 'node:fs';
import { Fault } from '../../contract/index.ts';
import { MAX_PROOF_SIZE, verifyProof } from '../../provenance/index.ts';

export async function verifyProofFile(file: string): Promise<object> {
  const verdict = verifyProof(await readText(file));
  if (verdict.valid) return verdict;
  // A result means success; the verdict is to be printed all the same.
  process.stdout.write(`${JSON.stringify(verdict)}\n`);
  throw new Fault('UNPROCESSABLE', `${file} is not a valid proof.`);
}

async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > MAX_PROOF_SIZE) {
    throw new Fault('TOO_LARGE', `${file} has more than ${MAX_PROOF_SIZE} bytes: it is not a proof.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('UNPROCESSABLE', `${file} is not text in UTF-8.`);
  }
}

/** One byte more than a proof may have at most: some files never end. */
async function readBytes(file: string): Promise<Buffer> {
  try {
    const chunks: Buffer[] = await createReadStream(file, { end: MAX_PROOF_SIZE }).toArray();
    return Buffer.concat(chunks);
  } catch (error) {
    throw new Fault('INVALID_REQUEST', `${file} cannot be read: ${(error as Error).message}.`);
  }
}
