import { type CompletedCommand, type CompletedWords, listValueOptions } from './completed-words.ts';

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
  local one="\${COMP_WORDS[1]-}" two="\${COMP_WORDS[2]-}" options="" choices=""
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
  case "$prev" in
${listValueOptions(words)
  .map(({ name, choices, isFile }) => `    ${name}) ${isFile ? 'return' : `${reply(choices)}; return`} ;;`)
  .join('\n')}
  esac
${writeCases(words, (command) => `options="${optionsOf(command).join(' ')}" choices="${command.choices.join(' ')}"`)}
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
  local -a options choices
  if (( CURRENT == 2 )); then
    compadd -- ${words.first.join(' ')}
    return
  fi
  if (( CURRENT == 3 )); then
    case "$one" in
${[...words.second].map(([first, second]) => `      ${first}) compadd -- ${second.join(' ')}; return ;;`).join('\n')}
    esac
  fi
  case "$prev" in
${listValueOptions(words)
  .map(
    ({ name, choices, isFile }) => `    ${name}) ${isFile ? '_files' : `compadd -- ${choices.join(' ')}`}; return ;;`,
  )
  .join('\n')}
  esac
${writeCases(words, (command) => `options=(${optionsOf(command).join(' ')}) choices=(${command.choices.join(' ')})`)}
  if [[ "$cur" == -* ]]; then
    compadd -- $options
  elif (( \${#choices} > 0 )); then
    compadd -- $choices
  else
    _files
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

function optionsOf({ options }: CompletedCommand): string[] {
  return [...options.map(({ name }) => name), '--help'];
}

function writeFish({ commands, second }: CompletedWords): string {
  const lines = [
    '# fish completion of almanac. Load it with: almanac completion fish | source',
    'complete -c almanac -f',
  ];
  for (const [first, words] of second) {
    lines.push(`complete -c almanac -n __fish_use_subcommand -a ${first}`);
    const condition = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
    lines.push(`complete -c almanac -n ${quote(condition)} -a ${quote(words.join(' '))}`);
  }
  for (const { name, summary, options, hasFile, choices } of commands) {
    const [first = '', last] = name.split(' ');
    if (last === undefined) lines.push(`complete -c almanac -n __fish_use_subcommand -a ${first} -d ${quote(summary)}`);
    const seen = `__fish_seen_subcommand_from ${first}${last === undefined ? '' : `; and __fish_seen_subcommand_from ${last}`}`;
    const start = `complete -c almanac -n ${quote(seen)}`;
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
