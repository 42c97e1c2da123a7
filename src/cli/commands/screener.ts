import { type Command, UsageError } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const screenerCommands: Command[] = [
  {
    words: 'screener run',
    usage: '--session DATE [--preview FILTER] [--keep]',
    help: 'replay a past session: its metrics, what stored filters match and, with --preview, what one in JSON would; --keep stores them, without mails',
    positionals: 0,
    options: { session: { type: 'string' }, preview: { type: 'string' }, keep: { type: 'boolean' } },
    async run(config, _, { preview, ...values }) {
      if (values.session === undefined) throw new UsageError('Usage: almanac screener run --session DATE');
      const parsed = typeof preview === 'string' ? { preview: parseFilter(preview) } : {};
      return runOperation(config, 'screener run', { ...values, ...parsed });
    },
  },
];

function parseFilter(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      '--preview must be JSON, such as {"universe":"all","all":[{"field":"rsi_14","op":"lt","value":30}]}',
    );
  }
}
