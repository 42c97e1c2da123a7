import { type CommandDescription, formatOption, formatUsage } from './command.ts';

/** Formats the help of a command: usage, summary, a table of its options and an example. */
export function formatCommandHelp(command: CommandDescription): string {
  const sections = [formatUsage(command), command.summary];
  const options = Object.entries(command.options);
  if (options.length > 0) {
    const rows = options.map(([name, option]) => [
      formatOption(name, option),
      option.type === 'boolean' ? 'flag' : `${option.format ?? 'text'}${option.isRepeatable ? ', repeatable' : ''}`,
      option.isRequired ? 'required' : (option.default ?? (option.type === 'boolean' ? 'off' : 'none')),
      option.choices ? `${option.help}: ${option.choices.join(', ')}` : option.help,
    ]);
    sections.push(`Options:\n${formatColumns([['Option', 'Type', 'Default', 'Meaning'], ...rows])}`);
  }
  sections.push(`Example:\n  almanac ${command.example}`);
  return `${sections.join('\n\n')}\n`;
}

/** Formats a list of commands with their usage and summary. */
export function formatCommandList(commands: readonly CommandDescription[]): string {
  const lines = commands.map(
    (command) => `  ${formatUsage(command).slice('Usage: '.length)}\n      ${command.summary}`,
  );
  return [
    'Almanac: forecasting, market data and workspaces.',
    lines.join('\n'),
    [
      'Most commands print one JSON object on one line. "almanac COMMAND --help" describes a command.',
      'Settings come from the environment; docs/configuration.md lists them.',
      'From a checkout, run "npm run -s almanac -- COMMAND".',
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Formats rows as aligned columns. Each line is indented. */
export function formatColumns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
