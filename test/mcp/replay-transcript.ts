import assert from 'node:assert/strict';
import type { agentOf, ToolAnswer } from './scene.ts';

/** The calls by which a reader of the list of tools answers a question. */
export interface Transcript {
  readonly question: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly tool: string;
  /** A text `{{name}}` stands for what an earlier step kept under this name. */
  readonly arguments: object;
  /** What later steps need: names, and where in the data the values are, such as `results.0.series`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The step is repeated until its data have these values. */
  readonly until?: Readonly<Record<string, unknown>>;
}

/**
 * Sends the calls of a transcript. Every call must succeed.
 *
 * @param added arguments that the calls of a tool get as well
 * @returns the answers by tool, the last of each
 */
export async function replayTranscript(
  { steps }: Transcript,
  { call }: ReturnType<typeof agentOf>,
  added: Readonly<Record<string, object>> = {},
): Promise<ReadonlyMap<string, ToolAnswer>> {
  const kept = new Map<string, unknown>();
  const answers = new Map<string, ToolAnswer>();
  for (const { tool, arguments: args, keep = {}, until = {} } of steps) {
    const filled = { ...(fill(args, kept) as object), ...added[tool] };
    let answer = await call(tool, filled);
    while (answer.isError !== true && !hasValues(answer.structuredContent, until)) answer = await call(tool, filled);
    assert.notEqual(answer.isError, true, `${tool}: ${answer.content[0]?.text}`);
    for (const [name, path] of Object.entries(keep)) {
      const value = valueAt(answer.structuredContent, path);
      assert.notEqual(value, undefined, `${tool} has no ${path}`);
      kept.set(name, value);
    }
    answers.set(tool, answer);
  }
  return answers;
}

function hasValues(data: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(values).every(([name, value]) => data[name] === value);
}

function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], data);
}

function fill(value: unknown, kept: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, kept)]));
  }
  const name = typeof value === 'string' ? /^\{\{(\w+)\}\}$/.exec(value)?.[1] : undefined;
  if (name === undefined) return value;
  assert.ok(kept.has(name), `no earlier step kept ${name}`);
  return kept.get(name);
}
