import { type CommandDescription, type LocalCommand, UsageError } from '../command.ts';
import { listCompletedWords } from '../completion/completed-words.ts';
import { SHELLS, writeCompletionScript } from '../completion/write-script.ts';

/** @param commands returns every command of the command line, this one included */
export function completionCommands(commands: () => readonly CommandDescription[]): LocalCommand[] {
  return [
    {
      name: 'completion',
      arguments: [{ name: 'SHELL', choices: SHELLS }],
      options: {},
      summary: `Prints the script that completes commands and options in a shell: ${SHELLS.join(', ')}.`,
      example: 'completion bash',
      async run(_config, [name]) {
        const shell = SHELLS.find((one) => one === name);
        if (shell === undefined) throw new UsageError(`The shell must be one of ${SHELLS.join(', ')}, not "${name}".`);
        return writeCompletionScript(shell, listCompletedWords(commands()));
      },
    },
  ];
}
