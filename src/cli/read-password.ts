import { UsageError } from './command.ts';

/** Stands for standard input where a password is given: arguments can be read by everybody on the machine. */
const FROM_STANDARD_INPUT = '-';

/** Longer than any password can be. */
const MAX_BYTES = 8_192;

export type Input = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };

/** The password that was given, or the one line that standard input has. */
export async function readPassword(given: string, input: Input = process.stdin): Promise<string> {
  if (given !== FROM_STANDARD_INPUT) return given;
  // What is typed there would be shown.
  if (input.isTTY) throw new UsageError('The password is read from standard input: send it by a pipe or from a file.');
  const line = (await readText(input)).replace(/\r?\n$/, '');
  if (line === '' || /[\r\n]/.test(line)) throw new UsageError('Standard input must be one line: the password.');
  return line;
}

async function readText(input: Input): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new UsageError('Standard input is longer than a password can be.');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('Standard input must be UTF-8 text.');
  }
}
