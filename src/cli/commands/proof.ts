import type { Command } from '../command.ts';

export const proofCommands: Command[] = [
  {
    words: 'proof verify',
    usage: 'FILE',
    help: 'check the proof of a forecast; needs no service and no database',
    positionals: 1,
    options: {},
    run: async (_config, [file = '']) => (await import('./verify-proof-file.ts')).verifyProofFile(file),
  },
];
