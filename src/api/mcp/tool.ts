import { z } from 'zod';
import { Fault } from '../../contract/index.ts';
import { parsePart } from '../edge/validate.ts';
import type { AgentCaller } from './agent-caller.ts';
import { withArgumentNames } from './faults.ts';
import { cleanResult } from './outside-text.ts';

/** What a tool gets besides its arguments. */
export interface ToolCall {
  readonly agent: AgentCaller;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the client follows long work as a task. Without it, the result of a tool states what to do next. */
  readonly canFollowTasks: boolean;
}

/** The result of a tool. */
export interface ToolResult<Data> {
  /** One or two sentences of this service, without any text that other people wrote. */
  readonly summary: string;
  readonly data: Data;
  /** A PNG. */
  readonly picture?: Uint8Array | null;
}

/** Work that a client follows as a task: a forecast that is not finished. */
export class FollowedForecast {
  readonly forecastId: string;

  constructor(forecastId: string) {
    this.forecastId = forecastId;
  }
}

/** A fault after a forecast was created. The agent must learn its id, because a second forecast would cost again. */
export class FaultAfterCreation extends Error {
  readonly forecastId: string;

  constructor(forecastId: string, cause: unknown) {
    super('A step after the creation of a forecast failed.', { cause });
    this.forecastId = forecastId;
  }
}

/** What a tool does to the service, as clients show it to people. No tool deletes or publishes anything. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: false;
  readonly idempotentHint: boolean;
  /** Whether providers outside this service can be asked. */
  readonly openWorldHint: boolean;
}

export interface ToolDefinition<Input extends z.ZodType, Data extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: ToolHints;
  readonly input: Input;
  readonly output: Data;
  /** Returns the names of arguments by the fields of operations that they fill, where both differ. Errors use the former. */
  argumentNames?(args: z.output<Input>): Readonly<Record<string, string>>;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolResult<z.input<Data>> | FollowedForecast>;
}

/** A tool of any types. */
export interface AgentTool
  extends Pick<ToolDefinition<z.ZodType, z.ZodType>, 'name' | 'title' | 'description' | 'hints'> {
  readonly inputSchema: () => object;
  readonly outputSchema: () => object;
  /** Checks the arguments and runs the tool. */
  readonly call: (args: unknown, call: ToolCall) => Promise<ToolResult<object> | FollowedForecast>;
}

/** Declares a tool. */
export function defineTool<Input extends z.ZodType, Data extends z.ZodType>(
  definition: ToolDefinition<Input, Data>,
): AgentTool {
  const { name, title, description, hints, input, output } = definition;
  let inputSchema: object | undefined;
  let outputSchema: object | undefined;
  return {
    name,
    title,
    description,
    hints,
    inputSchema: () => (inputSchema ??= toJsonSchema(input, 'input')),
    outputSchema: () => (outputSchema ??= toJsonSchema(output, 'output')),
    async call(args, call) {
      const parsed = parsePart(input, args ?? {}, 'arguments');
      const result = await definition.run(parsed, call).catch((error: unknown) => {
        throw error instanceof Fault ? withArgumentNames(error, definition.argumentNames?.(parsed) ?? {}) : error;
      });
      if (result instanceof FollowedForecast) return result;
      const data = cleanResult(result.data) as object;
      if (call.agent.checksResults) output.parse(data);
      return { ...result, data };
    },
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: dropIntegerBounds });
  return rest;
}

/** Leaves out the bounds of all integers, which would only make the list longer. */
function dropIntegerBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
