import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CANCELED } from '../../forecasts/index.ts';
import type { AgentCaller } from './agent-caller.ts';
import { readReport } from './forecast-report.ts';
import { describeFault, type ToolAnswer, toAnswer } from './tool-content.ts';

/** The extension by which a client follows long work. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const POLL_INTERVAL_MS = 2_000;

const ById = z.looseObject({ taskId: z.string().min(1).max(200) });

/** Returns whether the client of a request declared that it follows tasks. */
export function canFollowTasks(envelope: object | undefined): boolean {
  const capabilities = (envelope as Readonly<Record<string, unknown>> | undefined)?.[CAPABILITIES];
  const { extensions } = (capabilities ?? {}) as { readonly extensions?: Readonly<Record<string, unknown>> };
  return extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Adds the methods of tasks. A task is a forecast: its id is that of the forecast, and its work is the job. */
export function handleTasks(server: Server, agent: AgentCaller): void {
  const handle = (method: string, respond: (taskId: string) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params: ById }, async ({ taskId }, { mcpReq }) => {
      if (!canFollowTasks(mcpReq.envelope)) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        });
      }
      try {
        return await respond(taskId);
      } catch (error) {
        throw toProtocolError(error, agent);
      }
    });
  handle('tasks/get', (taskId) => readTask(agent, taskId));
  handle('tasks/cancel', async (taskId) => {
    await agent.call('cancelForecast', { params: { forecast_id: taskId } });
    return {};
  });
  // No forecast waits for an answer of the client, so there is nothing to update.
  handle('tasks/update', async (taskId) => {
    await agent.call('readForecast', { params: { forecast_id: taskId } });
    return {};
  });
}

/** A task as the protocol has it. */
interface Task {
  readonly [name: string]: unknown;
  readonly result?: ToolAnswer;
}

/** Returns a forecast as a task, with the result of the tool once the forecast has ended. */
export async function readTask(agent: AgentCaller, forecastId: string): Promise<Task> {
  const forecast = await agent.call('readForecast', { params: { forecast_id: forecastId } });
  const { status, error, created_at, started_at, finished_at, progress } = forecast;
  const task = {
    taskId: forecast.forecast_id,
    createdAt: created_at,
    lastUpdatedAt: finished_at ?? started_at ?? created_at,
    // Forecasts of accounts stay until they are deleted.
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
  if (status === 'completed') {
    return { ...task, status: 'completed', result: toAnswer(await readReport(agent, forecast, { picture: true })) };
  }
  if (status !== 'failed') {
    const { completed_models: done, total_models: all } = progress ?? {};
    const statusMessage = done === undefined ? `The forecast is ${status}.` : `${done} of ${all} models have run.`;
    return { ...task, status: 'working', statusMessage };
  }
  if (error?.code === CANCELED.code) return { ...task, status: 'cancelled', statusMessage: error.message };
  const result = { ...toAnswer(await readReport(agent, forecast, { picture: false })), isError: true };
  return { ...task, status: 'completed', result };
}

/** Returns the error of the protocol for a fault. An unknown task and one of another account look the same. */
function toProtocolError(error: unknown, agent: AgentCaller): ProtocolError {
  const fault = agent.faultOf(error);
  const isOfCaller = fault.status < 500 && fault.status !== 429;
  const code = isOfCaller ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  const described = describeFault(fault, agent.requestId);
  return new ProtocolError(code, described.message, described);
}
