import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const NAME = 'CommitmentService';
const folder = path.join(import.meta.dirname, '../../contracts');

/** The committed result of the build. */
export const BUILD_FILE: string = path.join(folder, `${NAME}.json`);

/**
 * Everything that determines the bytes besides the source and the compiler. London is the first version of the EVM with
 * the transactions that the stamper sends, so that the contract also runs on older chains. Without the metadata hash,
 * the bytes depend neither on paths nor on comments.
 */
const SETTINGS = {
  optimizer: { enabled: true, runs: 1_000_000 },
  evmVersion: 'london',
  viaIR: true,
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const;

interface Solc {
  version(): string;
  compile(input: string): string;
}

interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, CompiledContract>>;
}

interface CompiledContract {
  readonly abi: unknown;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** Compiles the contract and returns the text of its build file. Warnings of the compiler are errors. */
export function compileContract(): string {
  // Loaded here because it takes about a second.
  const solc = createRequire(import.meta.url)('solc') as Solc;
  const file = `${NAME}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(path.join(folder, file), 'utf8') } },
    settings: {
      ...SETTINGS,
      outputSelection: { [file]: { [NAME]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  if (output.errors !== undefined) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  const compiled = output.contracts[file]?.[NAME];
  if (compiled === undefined) throw new Error(`${file} has no contract ${NAME}.`);
  const build = {
    contract: NAME,
    compiler: solc.version(),
    settings: SETTINGS,
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  };
  return `${JSON.stringify(build, null, 2)}\n`;
}
