import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { CommandDescription } from '../command.ts';
import { listCompletedWords } from './completed-words.ts';
import { SHELLS, writeCompletionScript } from './write-script.ts';

const COMMANDS: CommandDescription[] = [
  {
    name: 'forecast',
    arguments: [{ name: 'FILE', isFile: true }],
    options: {
      dates: { type: 'string', choices: ['day_first', 'month_first'], help: "the order, as in '01/02'" },
      svg: { type: 'string', format: 'path', help: 'a file' },
      json: { type: 'boolean', help: 'one line' },
    },
    summary: "Forecasts what's in a file.",
    example: 'forecast x.csv',
  },
  {
    name: 'user create',
    arguments: [],
    options: { plan: { type: 'string', help: 'x' } },
    summary: 'Creates.',
    example: '',
  },
  { name: 'user list', arguments: [], options: {}, summary: 'Lists.', example: '' },
  { name: 'completion', arguments: [{ name: 'SHELL', choices: SHELLS }], options: {}, summary: 'Prints.', example: '' },
];

const words = listCompletedWords(COMMANDS);

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

test('bash completes commands, their second words, options and values', {
  skip: !hasShell('bash') && 'no bash',
}, () => {
  const lines = [
    ['fo'],
    ['user', ''],
    ['forecast', '--j'],
    ['forecast', 'x.csv', '--dates', 'm'],
    ['user', 'create', '--'],
    ['completion', 'z'],
    ['forecast', 'x'],
  ];
  const script = `${writeCompletionScript('bash', words)}
complete_words() { COMP_WORDS=(almanac "$@"); COMP_CWORD=$#; _almanac; echo "\${COMPREPLY[*]}"; }
${lines.map((line) => `complete_words ${line.map((word) => `'${word}'`).join(' ')}`).join('\n')}`;
  const { stdout, stderr } = spawnSync('bash', { input: script, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.deepEqual(
    stdout.trimEnd().split('\n'),
    ['forecast', 'create list', '--json', 'month_first', '--plan --help', 'zsh', ''].join('\n').trimEnd().split('\n'),
  );
});

for (const shell of ['zsh', 'fish'] as const) {
  test(`${shell} accepts its script`, { skip: !hasShell(shell) && `no ${shell}` }, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], {
      input: writeCompletionScript(shell, words),
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
  });
}

test('the scripts for zsh and fish name every command and option, with texts quoted', () => {
  for (const shell of ['zsh', 'fish'] as const) {
    const script = writeCompletionScript(shell, words);
    for (const word of ['forecast', 'create', 'completion', 'svg', 'plan', 'day_first'])
      assert.ok(script.includes(word), `${shell}: ${word}`);
  }
  assert.match(writeCompletionScript('fish', words), /-d 'Forecasts what\\'s in a file\.'/);
});
