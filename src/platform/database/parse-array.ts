/**
 * Reads the text form of a PostgreSQL array, such as `{1,NULL,"a \"b\""}` or `{{1,2},{3,4}}`.
 * Written here because pg and PGlite read arrays differently, and both must give the same values.
 */
export function parseArray(text: string, parseElement: (text: string) => unknown): unknown[] {
  // `[0:1]={...}`: an array whose indexes do not start at 1. JavaScript has no such thing; the bounds are dropped.
  const start = text.indexOf('{');
  const reader = { text, at: start };
  return readList(reader, parseElement);
}

interface Reader {
  readonly text: string;
  at: number;
}

function readList(reader: Reader, parseElement: (text: string) => unknown): unknown[] {
  const items: unknown[] = [];
  reader.at += 1; // the opening brace
  while (reader.at < reader.text.length) {
    const next = reader.text[reader.at];
    if (next === '}') {
      reader.at += 1;
      return items;
    }
    if (next === ',') reader.at += 1;
    else if (next === '{') items.push(readList(reader, parseElement));
    else if (next === '"') items.push(parseElement(readQuoted(reader)));
    else items.push(readBare(reader, parseElement));
  }
  throw new SyntaxError(`Not a complete array: ${reader.text}`);
}

function readQuoted(reader: Reader): string {
  let value = '';
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const char = reader.text[reader.at];
    if (char === '"') {
      reader.at += 1;
      return value;
    }
    if (char === '\\') reader.at += 1;
    value += reader.text[reader.at];
  }
  throw new SyntaxError(`Not a complete array: ${reader.text}`);
}

function readBare(reader: Reader, parseElement: (text: string) => unknown): unknown {
  const from = reader.at;
  while (reader.at < reader.text.length && reader.text[reader.at] !== ',' && reader.text[reader.at] !== '}')
    reader.at += 1;
  const value = reader.text.slice(from, reader.at);
  return value === 'NULL' ? null : parseElement(value);
}
