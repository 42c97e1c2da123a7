import type { Command } from '../command.ts';

const loadWork = () => import('./checkpoints.ts');

/** On the files of the data folder alone: no database is needed, and a running service is not disturbed. */
export const modelCommands: Command[] = [
  {
    words: 'models list',
    usage: '',
    help: 'show the checkpoints that are here, and which one new forecasts take',
    positionals: 0,
    options: {},
    run: async (config) => (await loadWork()).listModels(config),
  },
  {
    words: 'models verify',
    usage: '[ID]',
    help: 'read and hash the files of all checkpoints, or of one, again; fails when one differs',
    positionals: 0,
    optionalPositionals: 1,
    options: {},
    run: async (config, [id]) => (await loadWork()).verifyModels(config, id),
  },
  {
    words: 'models pull',
    usage: 'toto [--from URL --sha256 HEX [--name NAME]]',
    help: 'download the released checkpoint of a model, or the one at a URL; a download that broke off goes on',
    positionals: 1,
    options: { from: { type: 'string' }, sha256: { type: 'string' }, name: { type: 'string' } },
    run: async (config, [word = ''], values) => (await loadWork()).pullModel(config, word, values),
  },
];
