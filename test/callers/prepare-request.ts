import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import {
  ERROR_CATALOG,
  ErrorBody,
  type ErrorCode,
  listErrors,
  type Operation,
  SearchErrorBody,
  usesSearchEnvelope,
} from '../../src/contract/index.ts';
import type { ForecastService } from '../support/forecasts/forecast-service.ts';
import type { Answer } from './answers.ts';
import { CALLERS, type Caller, type CallerName, type CredentialCaller } from './callers.ts';
import { MEMBERSHIP_CALLERS, type MembershipCaller } from './membership-callers.ts';
import type { Request, Row } from './row.ts';
import { isMembershipCaller, type Scene, type World } from './world.ts';

/** The forms of an id in a path: a workspace or a forecast has both. */
export const ID_FORMS = ['id', 'slug'] as const;
export type IdForm = (typeof ID_FORMS)[number];

export interface RequestCell {
  readonly service: ForecastService;
  readonly world: World;
  readonly operation: Operation;
  readonly row: Row;
  readonly name: CallerName;
  readonly idForm: IdForm;
}

const GROUPS_OF_WORKSPACES: readonly Operation['group'][] = ['Workspaces', 'Forecast', 'Scout'];

/** Returns whether the operation uses the resources of a scene. */
function concernsWorkspaces({ group, path }: Operation): boolean {
  return GROUPS_OF_WORKSPACES.includes(group) || path.includes('{workspace_id}');
}

/** Returns the callers of an operation. If it does not concern workspaces, one member stands for all members. */
export function callersOf(operation: Operation): readonly CallerName[] {
  const members: readonly MembershipCaller[] = concernsWorkspaces(operation)
    ? (Object.keys(MEMBERSHIP_CALLERS) as MembershipCaller[])
    : ['viewer of nothing'];
  return [...(Object.keys(CALLERS) as CredentialCaller[]), ...members];
}

const NOTHING = { id: '', slug: '' };
/** The scene of an operation that does not concern workspaces. Opening a real one takes a dozen statements. */
const EMPTY_SCENE: Scene = { workspace: NOTHING, collaborator: '', csv: '', forecast: NOTHING, event: NOTHING };

/** Every caller has its own address, because some limits are per network. */
const addresses = new Map<CallerName, string>();

/** Creates everything that the request needs. Returns a function that sends it. */
export async function prepareRequest(cell: RequestCell): Promise<() => Promise<Answer>> {
  const { service, world, operation, row, name, idForm } = cell;
  const scene = concernsWorkspaces(operation) ? await world.scene(name) : EMPTY_SCENE;
  const caller = await world.caller(name);
  const workspace = isMembershipCaller(name) ? scene.workspace[idForm] : null;
  const request = (await row.request?.({ identity: service.identity, caller, scene, workspace })) ?? {};
  const remoteAddress = addresses.get(name) ?? `198.51.100.${addresses.size + 1}`;
  addresses.set(name, remoteAddress);
  const injection = toInjection({ operation, request, caller, scene, idForm });
  return async () => {
    const response = await service.app.inject({ ...injection, remoteAddress });
    return response.statusCode < 300 ? response.statusCode : readRefusal(operation, response);
  };
}

interface InjectionParts {
  readonly operation: Operation;
  readonly request: Request;
  readonly caller: Caller;
  readonly scene: Scene;
  readonly idForm: IdForm;
}

/** Builds the request. The ids in its path come from the scene and from the row. */
export function toInjection({ operation, request, caller, scene, idForm }: InjectionParts): InjectOptions {
  const { query = '', body, file } = request;
  const params: Readonly<Record<string, string>> = {
    workspace_id: scene.workspace[idForm],
    forecast_id: (operation.group === 'Scout' ? scene.event : scene.forecast)[idForm],
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

/** Returns status and code of a refusal, after checking it against the documentation of the operation. */
function readRefusal(operation: Operation, response: Response): Answer {
  const { statusCode, headers } = response;
  const code = codeOf(operation, response);
  assert.equal(statusCode, ERROR_CATALOG[code].status);
  assert.ok(listErrors(operation).includes(code), `${code} is among the documented errors`);
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
