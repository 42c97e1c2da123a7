import assert from 'node:assert/strict';
import {
  ERROR_CATALOGUE,
  ErrorBody,
  type ErrorCode,
  errorsOf,
  type Operation,
  SearchErrorBody,
  usesSearchEnvelope,
} from '../../src/contract/index.ts';
import type { ForecastService } from '../support/forecast-service.ts';
import type { Answer } from './answers.ts';
import type { CallerName } from './callers.ts';
import type { Row } from './operations.ts';
import { isPlaced, type Scene, type World } from './world.ts';

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

let addresses = 0;

/** Makes everything that the request needs. @returns what sends it */
export async function askCell({
  service,
  world,
  operation,
  row,
  name,
  named,
}: AskedCell): Promise<() => Promise<Answer>> {
  const scene = await world.scene(name);
  const caller = await world.caller(name);
  const workspace = isPlaced(name) ? scene.workspace[named] : null;
  const request = (await row.request?.({ identity: service.identity, caller, scene, workspace })) ?? {};
  const { query = '', body, file } = request;
  const params: Readonly<Record<string, string>> = { ...thingsOf(scene, named), ...request.params };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param) => params[param] ?? `no ${param} in the row`);
  // Some limits are per network, and nobody here is to meet one.
  addresses += 1;
  const remoteAddress = `198.51.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  return async () => {
    const response = await service.app.inject({
      method: operation.method,
      url: `/api${path}${query}`,
      headers: { ...caller.credentials, ...(file && { 'content-type': 'text/csv' }) },
      remoteAddress,
      ...((body || file) && { payload: body ?? file }),
    });
    return response.statusCode < 300 ? response.statusCode : refusalOf(operation, response);
  };
}

function thingsOf({ workspace, forecast, collaborator, csv }: Scene, named: Named) {
  return {
    workspace_id: workspace[named],
    forecast_id: forecast[named],
    collaborator_id: collaborator,
    csv_id: csv,
  };
}

type Response = Awaited<ReturnType<ForecastService['app']['inject']>>;

/** Status and code of a refusal, which must have the form that is documented for the operation. */
function refusalOf(operation: Operation, response: Response): Answer {
  const { statusCode, headers } = response;
  const code = codeOf(operation, response);
  assert.equal(statusCode, ERROR_CATALOGUE[code].status);
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
