import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CommandDescription } from '../command.ts';
import { listCompletedWords } from './completed-words.ts';
import { SHELLS, type Shell, writeCompletionScript } from './write-script.ts';

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
  {
    name: 'user list',
    arguments: [],
    options: { json: { type: 'string', format: 'path', help: 'a file' } },
    summary: 'Lists.',
    example: '',
  },
  { name: 'completion', arguments: [{ name: 'SHELL', choices: SHELLS }], options: {}, summary: 'Prints.', example: '' },
];

const words = listCompletedWords(COMMANDS);

const folder = mkdtempSync(join(tmpdir(), 'almanac-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const home = join(folder, 'home');
mkdirSync(home);
writeFileSync(join(home, 'x.csv'), '');

/** The words of a line up to the cursor, and what completes the last one. */
const LINES: readonly (readonly [line: string, completed: readonly string[]])[] = [
  ['fo', ['forecast']],
  ['us', ['user']],
  ['user ', ['create', 'list']],
  ['user c', ['create']],
  ['user list ', []],
  ['user create --', ['--help', '--plan']],
  ['user create --plan ', []],
  ['forecast --j', ['--json']],
  ['forecast user --j', ['--json']],
  ['forecast x.csv --json --s', ['--svg']],
  ['forecast x.csv --dates ', ['day_first', 'month_first']],
  ['forecast x.csv --dates m', ['month_first']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['completion z', ['zsh']],
  ['completion user ', ['bash', 'fish', 'zsh']],
];

/** Lines that end with a file. In bash, readline completes them. */
const FILE_LINES: typeof LINES = [
  ['forecast x', ['x.csv']],
  ['forecast user ', ['x.csv']],
  ['forecast --svg ', ['x.csv']],
  ['user list --json ', ['x.csv']],
];

const hasShell = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

/** Runs a script in a shell, in a folder with only the file `x.csv`. Returns what it prints. */
function runShell(shell: Shell, args: readonly string[], script: string): string {
  const { status, stdout, stderr } = spawnSync(shell, [...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb' },
    input: script,
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** The scripts that print what completes each line: a line of words for each. */
const COMPLETE: Readonly<Record<Shell, (lines: readonly string[]) => string>> = {
  bash: (lines) => {
    const script = `${writeCompletionScript('bash', words)}
complete_words() { COMP_WORDS=(almanac "$@"); COMP_CWORD=$#; _almanac; echo "\${COMPREPLY[*]}"; }
${lines.map((line) => `complete_words ${line.replace(/ $/, " ''")}`).join('\n')}`;
    return runShell('bash', ['--norc'], script);
  },
  // Completion needs an editor of lines, and thus a shell on a pseudo-terminal. Every line is typed, completed and erased.
  zsh: (lines) => {
    writeFileSync(
      join(folder, 'prepare'),
      `autoload -Uz compinit && compinit -u -D
${writeCompletionScript('zsh', words)}
compadd() {
  local -a found
  [[ "$*" == *-[OAD]\\ * ]] || { builtin compadd -O found "$@"; completed+=($found) }
  builtin compadd "$@"
}
record() {
  local -aU completed
  _main_complete
  print -r -- $completed >>../completed
  compstate[insert]= compstate[list]=
}
zle -C record complete-word record
bindkey '^I' record
PS1='RE''ADY>'
`,
    );
    const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell source ../prepare
zpty -r shell typed '*READY>*'
${lines.map((line) => `zpty -w -n shell $'almanac ${line}\\t\\C-U'`).join('\n')}
zpty -w shell exit
while zpty -r shell typed; do :; done
cat ../completed`;
    return runShell('zsh', ['-f'], script);
  },
  fish: (lines) => {
    writeFileSync(
      join(folder, 'complete.fish'),
      `${writeCompletionScript('fish', words)}
${lines.map((line) => `echo (complete -C 'almanac ${line}' | string split -f 1 \\t)`).join('\n')}`,
    );
    return runShell('fish', ['../complete.fish'], '');
  },
};

for (const shell of SHELLS) {
  test(`${shell} completes commands, their second words, options, values and files`, {
    skip: !hasShell(shell) && `no ${shell}`,
  }, () => {
    const expected = shell === 'bash' ? LINES : [...LINES, ...FILE_LINES];
    const printed = COMPLETE[shell](expected.map(([line]) => line))
      .replace(/\n$/, '')
      .split('\n');
    assert.deepEqual(
      expected.map(([line], i) => [line, (printed[i] ?? '').split(' ').filter(Boolean).sort()]),
      expected,
    );
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
