/** The parts of a file in the format of Bruno: blocks with a name, of fields or of text. */
export type Block =
  | { readonly name: string; readonly fields: Readonly<Record<string, string | number>> }
  | { readonly name: string; readonly items: readonly string[] }
  | { readonly name: string; readonly text: string };

/** Formats a file. Blocks without content are left out. */
export function formatBru(blocks: readonly Block[]): string {
  return `${blocks
    .map(formatBlock)
    .filter((text) => text !== null)
    .join('\n\n')}\n`;
}

function formatBlock(block: Block): string | null {
  if ('items' in block) {
    return block.items.length === 0
      ? null
      : `${block.name} [\n${block.items.map((item) => `  ${item}`).join(',\n')}\n]`;
  }
  const lines =
    'text' in block
      ? block.text.trimEnd().split('\n')
      : Object.entries(block.fields).map(([name, value]) => `${name}: ${value}`);
  if (lines.length === 0 || lines.join('') === '') return null;
  // The format ends a block at a brace at the start of a line, so each line is indented.
  return `${block.name} {\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}`;
}

const MAX_LINE = 100;

/** Formats JSON with short lists and objects on one line, so that rows of a series take one line each. */
export function formatJson(value: unknown, indent = ''): string {
  const line = formatLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= MAX_LINE) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${formatJson(part, inner)}`);
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(',\n')}\n${indent}${close}`;
}

function formatLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${formatLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
