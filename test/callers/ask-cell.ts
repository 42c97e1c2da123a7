import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import {
  ERROR_CATALOG,
  ErrorBody,
  type ErrorCode,
  errorsOf,
  type Operation,
  SearchErrorBody,
  usesSearchEnvelope,
} from '../../src/contract/index.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import type { Answer } from './answers.ts';
import type { Caller, CallerName } from './callers.ts';
import type { Request, Row } from './operations.ts';
import { isMembershipCaller, type Scene, type World } from './world.ts';

/** By what a workspace or a forecast is named. */
export const NAMES = ['id', 'slug'] as const;
export type Named = (typeof NAMES)[number];

export interface AskedCell {
  readonly service: ForecastService;
  readonly world: World;
  readonly operation: Operation;
  readonly row: Row;
  readonly name: CallerName;
  readonly named: Named;
}

/** Some limits are per network, and nobody here is to meet one. */
const addresses = new Map<CallerName, string>();

/** Makes everything that the request needs. @returns what sends it */
export async function askCell(cell: AskedCell): Promise<() => Promise<Answer>> {
  const { service, world, operation, row, name, named } = cell;
  const scene = await world.scene(name);
  const caller = await world.caller(name);
  const workspace = isMembershipCaller(name) ? scene.workspace[named] : null;
  const request = (await row.request?.({ identity: service.identity, caller, scene, workspace })) ?? {};
  const remoteAddress = addresses.get(name) ?? `198.51.100.${addresses.size + 1}`;
  addresses.set(name, remoteAddress);
  const injection = injectionOf({ operation, request, caller, scene, named });
  return async () => {
    const response = await service.app.inject({ ...injection, remoteAddress });
    return response.statusCode < 300 ? response.statusCode : refusalOf(operation, response);
  };
}

interface Injected {
  readonly operation: Operation;
  readonly request: Request;
  readonly caller: Caller;
  readonly scene: Scene;
  readonly named: Named;
}

/** The request as it is sent: the things in the path are those of the scene, and those that the row has added. */
export function injectionOf({ operation, request, caller, scene, named }: Injected): InjectOptions {
  const { query = '', body, file } = request;
  const params: Readonly<Record<string, string>> = {
    workspace_id: scene.workspace[named],
    forecast_id: (operation.group === 'Scout' ? scene.event : scene.forecast)[named],
    collaborator_id: scene.collaborator,
    csv_id: scene.csv,
    ...request.params,
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param) => params[param] ?? `no ${param} in the row`);
  return {
    method: operation.method,
    url: `/api${path}${query}`,
    headers: { ...caller.credentials, ...(file && { 'content-type': 'text/csv' }) },
    ...((body || file) && { payload: body ?? file }),
  };
}

type Response = Awaited<ReturnType<ForecastService['app']['inject']>>;

/** Status and code of a refusal, which must have the form that is documented for the operation. */
function refusalOf(operation: Operation, response: Response): Answer {
  const { statusCode, headers } = response;
  const code = codeOf(operation, response);
  assert.equal(statusCode, ERROR_CATALOG[code].status);
  assert.ok(errorsOf(operation).includes(code), `${code} is among the documented errors`);
  assert.equal('www-authenticate' in headers, code === 'UNAUTHENTICATED' || code === 'SCOPE_DENIED');
  assert.equal(headers['cache-control'], 'no-store');
  return `${statusCode} ${code}`;
}

function codeOf(operation: Operation, response: Response): ErrorCode {
  if (usesSearchEnvelope(operation.path)) return SearchErrorBody.parse(response.json()).error;
  const { error } = ErrorBody.parse(response.json());
  assert.equal(error.request_id, response.headers['x-request-id']);
  return error.code;
}
