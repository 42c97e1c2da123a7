import assert from 'node:assert/strict';

/** How a dialect quotes names and writes parameters. */
export interface SqlQuoting {
  readonly quote: '"' | '`';
  /** How a quote is written inside quotes: twice, or after a backslash. */
  readonly quoteInside: 'doubled' | 'backslash';
  readonly parameter: '$' | '@';
}

export interface SqlToken {
  readonly kind: 'name' | 'text' | 'parameter' | 'word' | 'number' | 'mark';
  /** The name without quotes, or the token as it is written. */
  readonly value: string;
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const PARAMETER = /[$@]p\d+(?![A-Za-z0-9_])/y;
/** A single slash, a hash, a semicolon and two minus signs are in no list, because no query has comments. */
const MARK = /<=|>=|<>|\/\/|[(),.*+%<>=[\]]|-(?!-)/y;

/** Splits the SQL of a query into tokens. Fails for every character that no query of the builder has outside quotes. */
export function splitSql(sql: string, quoting: SqlQuoting): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  for (let at = 0; at < sql.length; ) {
    const first = sql[at] as string;
    if (first === ' ') {
      at++;
    } else if (first === quoting.quote || first === "'") {
      const { value, end } = readQuoted(sql, at, quoting);
      tokens.push({ kind: first === "'" ? 'text' : 'name', value });
      at = end;
    } else {
      const token = readPlain(at, match);
      assert.ok(token, `unexpected ${JSON.stringify(sql.slice(at, at + 30))} in ${sql}`);
      if (token.kind === 'parameter') assert.equal(token.value[0], quoting.parameter);
      tokens.push(token);
      at += token.value.length;
    }
  }
  return tokens;
}

function readPlain(at: number, match: (pattern: RegExp, at: number) => string | undefined): SqlToken | null {
  for (const [kind, pattern] of [
    ['parameter', PARAMETER],
    ['word', WORD],
    ['number', NUMBER],
    ['mark', MARK],
  ] as const) {
    const value = match(pattern, at);
    if (value !== undefined) return { kind, value };
  }
  return null;
}

/** Reads a quoted name or text as the database would. */
function readQuoted(sql: string, at: number, { quoteInside }: SqlQuoting): { value: string; end: number } {
  const quote = sql[at];
  let value = '';
  for (let next = at + 1; next < sql.length; next++) {
    if (quoteInside === 'backslash' && sql[next] === '\\') {
      const escaped = sql[++next];
      // Other letters after a backslash are escape sequences, which no dialect writes.
      assert.ok(escaped === '\\' || escaped === '`' || escaped === "'", `an escape sequence in ${sql}`);
      value += escaped;
    } else if (sql[next] === quote) {
      if (quoteInside === 'backslash' || sql[next + 1] !== quote) return { value, end: next + 1 };
      value += quote;
      next++;
    } else {
      value += sql[next];
    }
  }
  return assert.fail(`a quote without an end in ${sql}`);
}
