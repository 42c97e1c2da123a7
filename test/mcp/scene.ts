import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '../../src/calendar/index.ts';
import type { Credentials } from '../support/identity/callers.ts';

export const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';

/** A message of the protocol, as a client of the specification sends it. */
export interface Sent {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly capabilities?: object;
  /** More headers, or other values of those that the specification requires. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a result has the shape that its method gives it, which each test checks.
  readonly result: any;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own data.
  readonly structuredContent: any;
  readonly isError?: boolean;
}

/** Returns a function that sends messages of the current revision as one caller. */
export function agentOf(app: FastifyInstance, credentials: Credentials) {
  const send = async ({ method, params = {}, capabilities = {}, headers = {} }: Sent): Promise<RpcAnswer> => {
    const name = params.name ?? params.taskId;
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...credentials,
        ...headers,
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            [`${PREFIX}/protocolVersion`]: REVISION,
            [`${PREFIX}/clientInfo`]: { name: 'test', version: '1' },
            [`${PREFIX}/clientCapabilities`]: capabilities,
          },
        },
      },
    });
    const { result, error } = response.json();
    return { status: response.statusCode, headers: response.headers, body: response.body, result, error };
  };
  const call = async (name: string, args: object = {}, more: Partial<Sent> = {}): Promise<ToolAnswer> => {
    const { result, body } = await send({ method: 'tools/call', params: { name, arguments: args }, ...more });
    if (result === undefined) throw new Error(`tools/call ${name}: ${body}`);
    return result;
  };
  return { send, call };
}

/** Returns the error of a tool that failed. */
export function failureOf({ isError, content }: ToolAnswer): {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly next_step: string;
  readonly forecast_id?: string;
} {
  if (isError !== true) throw new Error('The tool did not fail.');
  return JSON.parse(content[0]?.text ?? '').error;
}

/** Returns daily rows as an agent writes them. */
export function csvRows(count = 40, first = Date.UTC(2024, 0, 1)): string {
  const day = (index: number) => new Date(first + index * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, i) => `${day(i)},${100 + i / 2 + 3 * Math.sin(i * 1.7)}\n`).join('');
}
