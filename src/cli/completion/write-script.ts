import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedWords,
  listValueOptions,
} from './completed-words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns the script that completes the commands and options in a shell. */
export function writeCompletionScript(shell: Shell, words: CompletedWords): string {
  return { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell](words);
}

function writeBash(words: CompletedWords): string {
  const reply = (list: readonly string[]) => `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$cur"))`;
  return `# bash completion of almanac. Load it with: source <(almanac completion bash)
_almanac() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local one="\${COMP_WORDS[1]-}" two="\${COMP_WORDS[2]-}" options="" valued="" choices=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${reply(words.first)}
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "$one" in
${[...words.second].map(([first, second]) => `      ${first}) ${reply(second)}; return ;;`).join('\n')}
    esac
  fi
${writeCases(words, (command) => `${setOptions(command)} choices="${command.choices.join(' ')}"`)}
${writeValues(words, ({ choices, isFile }) => (isFile ? '' : reply(choices)))}
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) [ -z "$choices" ] || COMPREPLY=($(compgen -W "$choices" -- "$cur")) ;;
  esac
}
complete -o bashdefault -o default -F _almanac almanac
`;
}

function writeZsh(words: CompletedWords): string {
  return `#compdef almanac
# zsh completion of almanac. Load it with: source <(almanac completion zsh)
_almanac() {
  local cur="$PREFIX" prev="\${words[CURRENT-1]}" one="\${words[2]}" two="\${words[3]}"
  local options= valued= has_file=
  local -a choices
  if (( CURRENT == 2 )); then
    compadd -- ${words.first.join(' ')}
    return
  fi
  if (( CURRENT == 3 )); then
    case "$one" in
${[...words.second].map(([first, second]) => `      ${first}) compadd -- ${second.join(' ')}; return ;;`).join('\n')}
    esac
  fi
${writeCases(words, (command) => {
  const file = command.hasFile ? ' has_file=yes' : '';
  return `${setOptions(command)} choices=(${command.choices.join(' ')})${file}`;
})}
${writeValues(words, ({ choices, isFile }) => (isFile ? '_files' : `compadd -- ${choices.join(' ')}`))}
  if [[ "$cur" == -* ]]; then
    compadd -- \${=options}
  elif [[ -n "$has_file" ]]; then
    _files
  else
    compadd -- $choices
  fi
}
compdef _almanac almanac
`;
}

/** Returns the lines that choose a command by its first one or two words, in bash and zsh alike. */
function writeCases({ commands }: CompletedWords, body: (command: CompletedCommand) => string): string {
  const line = (command: CompletedCommand, pattern: string) => `    ${pattern}) ${body(command)} ;;`;
  return [
    '  case "$one $two" in',
    ...commands.map((command) =>
      line(command, command.name.includes(' ') ? `"${command.name}"` : `"${command.name} "*`),
    ),
    '  esac',
  ].join('\n');
}

/** Returns the text that sets the options of a command, and which of them take a value, in bash and zsh alike. */
function setOptions({ options }: CompletedCommand): string {
  const list = (chosen: readonly CompletedOption[]) => chosen.map(({ name }) => name).join(' ');
  return `options="${[list(options), '--help'].join(' ').trim()}" valued="${list(options.filter(({ hasValue }) => hasValue))}"`;
}

/** Returns the lines that complete the value of an option, in bash and zsh alike. Another value is not completed. */
function writeValues(words: CompletedWords, body: (option: CompletedOption) => string): string {
  return [
    '  case " $valued " in',
    '    *" $prev "*)',
    '      case "$prev" in',
    ...listValueOptions(words).map((option) => `        ${option.name}) ${body(option)} ;;`),
    '      esac',
    '      return ;;',
    '  esac',
  ].join('\n');
}

function writeFish({ commands, second }: CompletedWords): string {
  const lines = [
    '# fish completion of almanac. Load it with: almanac completion fish | source',
    'function __almanac_begins # whether the line begins with these words',
    '  set -l given (commandline -opc)[2..]',
    '  set -l length (count $argv)',
    '  test "$given[1..$length]" = "$argv"',
    'end',
    'complete -c almanac -f',
    "complete -c almanac -l help -d 'describe the command'",
  ];
  for (const [first, words] of second) {
    lines.push(`complete -c almanac -n __fish_use_subcommand -a ${first}`);
    const condition = `__almanac_begins ${first}; and test (count (commandline -opc)) -eq 2`;
    lines.push(`complete -c almanac -n ${quote(condition)} -a ${quote(words.join(' '))}`);
  }
  for (const { name, summary, options, hasFile, choices } of commands) {
    if (!name.includes(' ')) lines.push(`complete -c almanac -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`);
    const start = `complete -c almanac -n ${quote(`__almanac_begins ${name}`)}`;
    if (hasFile) lines.push(`${start} -F`);
    if (choices.length > 0) lines.push(`${start} -a ${quote(choices.join(' '))}`);
    for (const option of options) {
      const value = option.isFile ? ' -r -F' : option.hasValue ? ' -x' : '';
      const listed = option.choices.length > 0 ? ` -a ${quote(option.choices.join(' '))}` : '';
      lines.push(`${start} -l ${option.name.slice(2)}${value}${listed} -d ${quote(option.help)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Quotes a text for fish, in which only the quote and the backslash are special between single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
