import type { Command } from '../command.ts';
import { REPLAY_DEFAULTS, REPLAY_USAGE } from './replay-defaults.ts';

/** On files alone: no database is needed, and a running service is not disturbed. */
export const scoutCommands: Command[] = [
  {
    words: 'scout replay',
    usage: REPLAY_USAGE,
    help: 'forecast a bundled history at past cut-offs, ask about thresholds, and score the answers against base rates',
    positionals: 0,
    options: Object.fromEntries([...Object.keys(REPLAY_DEFAULTS), 'csv'].map((name) => [name, { type: 'string' }])),
    run: async (config, _positionals, values) => (await import('./replay-history.ts')).replayHistory(config, values),
  },
];
