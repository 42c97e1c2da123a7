import { readTimestamp } from './read-timestamp.ts';

/** Maximum number of rows that a request can contain. */
export const MAX_INLINE_POINTS = 50_000;

/** Number of invalid rows that an error names. The rows after the last of them are not checked. */
const MAX_ISSUES = 5;

/** Rows that came with a request, checked and ordered by time. Either form of an inline source is read into them. */
export class InlineRows {
  readonly times: Float64Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  /** The position of each row in the request, counted from 1. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** The field of the source that the rows came in. */
  readonly field: 'points' | 'timestamps';

  constructor({ times, values, numbers, field }: RowColumns) {
    this.times = times;
    this.values = values;
    this.numbers = numbers;
    this.field = field;
  }
}

/** The columns of inline rows, as one thread sends them to another. */
export type RowColumns = Pick<InlineRows, 'times' | 'values' | 'numbers' | 'field'>;

/** A mistake in an inline source, with the path of the field within the source. */
export interface RowIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An inline source as it was sent: rows as objects, or as two lists of equal length. */
export interface SentRows {
  readonly points?: unknown;
  readonly timestamps?: unknown;
  readonly values?: unknown;
}

/** Checks the rows of an inline source in one pass. Returns the first mistakes if it has any. */
export function readInlineRows({ points, timestamps, values }: SentRows): InlineRows | readonly RowIssue[] {
  if (points instanceof InlineRows) return points;
  const isCompact = timestamps !== undefined || values !== undefined;
  if (points !== undefined && isCompact) {
    return [{ path: [], message: 'must contain either points, or timestamps and values' }];
  }
  if (points === undefined && !isCompact) return [{ path: ['points'], message: 'is required' }];
  return isCompact ? readLists(timestamps, values) : readPoints(points);
}

/** Reads rows of one form by their index. */
interface RowReader {
  readonly field: InlineRows['field'];
  readonly count: number;
  /** Reads a row into the columns. Returns its mistakes. */
  read(index: number, columns: RowColumns): readonly RowIssue[];
}

function readPoints(points: unknown): InlineRows | readonly RowIssue[] {
  const problem = findListProblem(points);
  if (problem !== null) return [{ path: ['points'], message: problem }];
  const list = points as readonly unknown[];
  return readRows({
    field: 'points',
    count: list.length,
    read: (index, columns) => readPoint(list[index], index, columns),
  });
}

const VALUE_RULE = 'must be of the type number';
const NO_ISSUES: readonly RowIssue[] = [];

function readPoint(point: unknown, index: number, { times, values }: RowColumns): readonly RowIssue[] {
  if (typeof point !== 'object' || point === null || Array.isArray(point)) {
    return [{ path: ['points', index], message: 'must be of the type object' }];
  }
  const { timestamp, value } = point as { readonly timestamp?: unknown; readonly value?: unknown };
  const time = readTimestamp(timestamp);
  let fields = 0;
  for (const _ in point) fields++;
  if (typeof time === 'number' && isNumber(value) && fields === 2) {
    times[index] = time;
    values[index] = value;
    return NO_ISSUES;
  }
  const issues: RowIssue[] = [];
  const refuse = (name: string, message: string) => issues.push({ path: ['points', index, name], message });
  if (typeof time === 'string') refuse('timestamp', timestamp === undefined ? 'is required' : time);
  if (!isNumber(value)) refuse('value', value === undefined ? 'is required' : VALUE_RULE);
  const unknown = Object.keys(point).filter((name) => name !== 'timestamp' && name !== 'value');
  if (unknown.length > 0) {
    const names = unknown.slice(0, MAX_ISSUES).map((name) => JSON.stringify(name.slice(0, 60)));
    issues.push({ path: ['points', index], message: `unknown field ${names.join(', ')}` });
  }
  return issues;
}

function readLists(timestamps: unknown, values: unknown): InlineRows | readonly RowIssue[] {
  for (const [name, list] of Object.entries({ timestamps, values })) {
    const problem = list === undefined ? 'is required' : findListProblem(list);
    if (problem !== null) return [{ path: [name], message: problem }];
  }
  const [times, numbers] = [timestamps as readonly unknown[], values as readonly unknown[]];
  if (times.length !== numbers.length) {
    const message = `must have as many items as timestamps: ${times.length}, not ${numbers.length}`;
    return [{ path: ['values'], message }];
  }
  return readRows({
    field: 'timestamps',
    count: times.length,
    read(index, columns) {
      const time = readTimestamp(times[index]);
      const value = numbers[index];
      if (typeof time === 'number' && isNumber(value)) {
        columns.times[index] = time;
        columns.values[index] = value;
        return NO_ISSUES;
      }
      const issues: RowIssue[] = [];
      if (typeof time === 'string') issues.push({ path: ['timestamps', index], message: time });
      if (!isNumber(value)) issues.push({ path: ['values', index], message: VALUE_RULE });
      return issues;
    },
  });
}

function readRows({ field, count, read }: RowReader): InlineRows | readonly RowIssue[] {
  const columns = {
    times: new Float64Array(count),
    values: new Float64Array(count),
    numbers: new Uint32Array(count),
    field,
  };
  const issues: RowIssue[] = [];
  for (let index = 0; index < count && issues.length < MAX_ISSUES; index++) {
    columns.numbers[index] = index + 1;
    const found = read(index, columns);
    if (found !== NO_ISSUES) issues.push(...found);
  }
  return issues.length > 0 ? issues.slice(0, MAX_ISSUES) : new InlineRows(orderByTime(columns));
}

/** Returns the rows ordered by time. Rows with the same time keep their order. */
function orderByTime(columns: RowColumns): RowColumns {
  const { times, values, numbers, field } = columns;
  let isOrdered = true;
  for (let index = 1; index < times.length && isOrdered; index++) {
    isOrdered = (times[index - 1] as number) <= (times[index] as number);
  }
  if (isOrdered) return columns;
  const order = numbers.toSorted(
    (one, other) => (times[one - 1] as number) - (times[other - 1] as number) || one - other,
  );
  return {
    times: Float64Array.from(order, (number) => times[number - 1] as number),
    values: Float64Array.from(order, (number) => values[number - 1] as number),
    numbers: order,
    field,
  };
}

/** JSON can contain numbers such as 1e999, which are read as infinite. */
function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function findListProblem(list: unknown): string | null {
  if (!Array.isArray(list)) return 'must be of the type array';
  if (list.length === 0) return 'must have at least 1 item';
  return list.length > MAX_INLINE_POINTS ? `must have at most ${MAX_INLINE_POINTS} items` : null;
}
