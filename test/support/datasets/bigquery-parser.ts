// The words of the queries that the loopback BigQuery executes, and the expressions of which they consist.

export type Expression =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'cast'; readonly value: Expression; readonly type: string }
  | {
      readonly kind: 'if';
      readonly tested: Expression;
      readonly min: Expression;
      readonly max: Expression;
      readonly then: Expression;
    }
  | { readonly kind: 'truncate'; readonly value: Expression; readonly unit: string }
  | { readonly kind: 'aggregate'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'last'; readonly value: Expression; readonly time: Expression };

export interface Condition {
  readonly column: string;
  readonly operator: 'IS NOT NULL' | 'NOT IS_NAN' | '>=' | '<' | 'IN';
  /** The names of the parameters that the column is compared with. */
  readonly parameters: readonly string[];
}

/** The error for a query of any other shape. */
export class QueryError extends Error {}

const TOKEN =
  /`(?:[^`\\\n\r]|\\[`\\])+`|'(?:UTC|%Y%m%d)'|@[a-z][a-z0-9_]*|-?[0-9]+|[A-Za-z_][A-Za-z_0-9]*|>=|[<(),*+[\].-]/y;
const FUNCTIONS: ReadonlyMap<string, number> = new Map([
  ['UNIX_MICROS', 1],
  ['UNIX_DATE', 1],
  ['TIMESTAMP', 2],
  ['TIMESTAMP_MICROS', 1],
  ['DATE', 3],
  ['MOD', 2],
]);
const UNITS = ['MONTH', 'QUARTER', 'YEAR'];
const AGGREGATES = ['SUM', 'AVG', 'COUNT'];

/** Splits a query into words. Throws a `QueryError` for a character that no word has. */
export function tokenize(sql: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < sql.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(sql)?.[0];
    if (token === undefined) throw new QueryError(`unexpected character at ${at}`);
    tokens.push(token);
    at += token.length;
    if (sql[at] === ' ') at += 1;
  }
  return tokens;
}

/** Reads the parts of a query. */
export class QueryParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  take(...tokens: readonly string[]): void {
    for (const token of tokens) if (!this.takes(token)) throw new QueryError(`expected ${token} at token ${this.#at}`);
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new QueryError('more than one query');
  }

  #next(pattern: RegExp): string {
    const token = this.#tokens[this.#at] ?? '';
    if (!pattern.test(token)) throw new QueryError(`unexpected token ${this.#at}`);
    this.#at += 1;
    return token;
  }

  name(): string {
    return this.#next(/^`/).slice(1, -1).replace(/\\(.)/g, '$1');
  }

  count(): number {
    return Number(this.#next(/^[0-9]{1,9}$/));
  }

  conditions(): readonly Condition[] {
    this.take('WHERE');
    const conditions = [this.#condition()];
    while (this.takes('AND')) conditions.push(this.#condition());
    return conditions;
  }

  #condition(): Condition {
    if (this.takes('NOT')) {
      this.take('IS_NAN', '(');
      const column = this.name();
      this.take(')');
      return { column, operator: 'NOT IS_NAN', parameters: [] };
    }
    const column = this.name();
    if (this.takes('IS')) {
      this.take('NOT', 'NULL');
      return { column, operator: 'IS NOT NULL', parameters: [] };
    }
    for (const operator of ['>=', '<'] as const) {
      if (this.takes(operator)) return { column, operator, parameters: [this.#parameter()] };
    }
    this.take('IN', '(');
    const parameters = [this.#parameter()];
    while (this.takes(',')) parameters.push(this.#parameter());
    this.take(')');
    return { column, operator: 'IN', parameters };
  }

  #parameter(): string {
    return this.#next(/^@/).slice(1);
  }

  sum(): Expression {
    let left = this.#product();
    for (;;) {
      const operator = ['+', '-'].find((sign) => this.takes(sign));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.#product() };
    }
  }

  #product(): Expression {
    let left = this.#operand();
    while (this.takes('*')) left = { kind: 'binary', operator: '*', left, right: this.#operand() };
    return left;
  }

  #operand(): Expression {
    const token = this.#tokens[this.#at] ?? '';
    if (token.startsWith('`')) return { kind: 'column', name: this.name() };
    this.#at += 1;
    if (/^-?[0-9]+$/.test(token)) return { kind: 'integer', value: BigInt(token) };
    if (token.startsWith("'")) return { kind: 'text', value: token.slice(1, -1) };
    if (token === 'NULL') return { kind: 'null' };
    if (token === 'CAST') return this.#cast();
    if (token === 'IF') return this.#between();
    if (token === 'TIMESTAMP_TRUNC') return this.#truncation();
    if (token === 'ARRAY_AGG') return this.#last();
    if (token === 'SAFE') {
      this.take('.', 'PARSE_DATE');
      return this.#call('PARSE_DATE', 2);
    }
    if (AGGREGATES.includes(token)) {
      this.take('(');
      const value = this.#operand();
      this.take(')');
      return { kind: 'aggregate', name: token, value };
    }
    const count = FUNCTIONS.get(token);
    if (count === undefined) throw new QueryError(`unexpected token ${this.#at}`);
    return this.#call(token, count);
  }

  #call(name: string, count: number): Expression {
    const values: Expression[] = [];
    for (let i = 0; i < count; i++) {
      this.take(i === 0 ? '(' : ',');
      values.push(this.sum());
    }
    this.take(')');
    return { kind: 'call', name, values };
  }

  #cast(): Expression {
    this.take('(');
    const value = this.sum();
    this.take('AS');
    const type = this.#next(/^(FLOAT64|STRING)$/);
    this.take(')');
    return { kind: 'cast', value, type };
  }

  #between(): Expression {
    this.take('(');
    const tested = this.#operand();
    this.take('BETWEEN');
    const min = this.#operand();
    this.take('AND');
    const max = this.#operand();
    this.take(',');
    const then = this.sum();
    this.take(',', 'NULL', ')');
    return { kind: 'if', tested, min, max, then };
  }

  #truncation(): Expression {
    this.take('(');
    const value = this.sum();
    this.take(',');
    const unit = this.#next(/^[A-Z]+$/);
    if (!UNITS.includes(unit)) throw new QueryError('unknown unit');
    this.take(')');
    return { kind: 'truncate', value, unit };
  }

  #last(): Expression {
    this.take('(');
    const value = this.sum();
    this.take('IGNORE', 'NULLS', 'ORDER', 'BY');
    const time = this.sum();
    this.take('DESC', ',');
    const second = this.sum();
    if (JSON.stringify(second) !== JSON.stringify(value)) throw new QueryError('order of another value');
    this.take('DESC', 'LIMIT', '1', ')', '[', 'SAFE_OFFSET', '(', '0', ')', ']');
    return { kind: 'last', value, time };
  }
}
