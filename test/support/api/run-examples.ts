import assert from 'node:assert/strict';
import {
  CREDENTIAL_COOKIES,
  EXAMPLE_CALLERS,
  EXAMPLE_RUN,
  EXAMPLES,
  type Example,
  type ExampleStep,
  fillIn,
  type Operation,
  type OperationId,
  operations,
  type RecordedResponse,
  readKept,
} from '../../../src/contract/index.ts';
import type { ForecastService } from '../forecasts/forecast-service.ts';
import { openExampleScene } from './example-scene.ts';

/** What one run of the examples sent and received. */
export interface ExampleRun {
  /** The values of all variables at the end. */
  readonly variables: Readonly<Record<string, string>>;
  /** The first response of each operation. */
  readonly responses: Readonly<Partial<Record<OperationId, RecordedResponse>>>;
}

/** Sends every example in the order of the run. Throws at the first one that does not succeed. */
export async function runExamples(service: ForecastService): Promise<ExampleRun> {
  const scene = await openExampleScene(service);
  const variables: Record<string, string> = { ...scene.given };
  const responses: Partial<Record<OperationId, RecordedResponse>> = {};
  for (const step of EXAMPLE_RUN) {
    const { id, example } = exampleOf(step);
    const operation: Operation = operations[id];
    const response = await service.app.inject(toInjection(operation, example, variables));
    assert.equal(response.statusCode, operation.status, `${id}: ${response.body}`);
    const recorded = record(response);
    if (typeof step === 'string') responses[id] ??= recorded;
    const { json } = recorded;
    for (const [name, kept] of Object.entries(example.keeps ?? {})) {
      const value = readKept(json, kept);
      assert.ok(value !== null, `${id}: the response has the value of ${name}: ${response.body}`);
      variables[name] = value;
    }
    if (example.keepsCookie) {
      const cookie = response.cookies.find(({ name }) => name === CREDENTIAL_COOKIES[example.keepsCookie ?? 'session']);
      assert.ok(cookie, `${id} sets the cookie`);
      variables[example.keepsCookie] = cookie.value;
    }
    await scene.work(id, (json ?? {}) as Parameters<typeof scene.work>[1]);
  }
  return { variables, responses };
}

function exampleOf(step: ExampleStep): { readonly id: OperationId; readonly example: Example } {
  return typeof step === 'string' ? { id: step, example: EXAMPLES[step] } : { id: step.of, example: step.example };
}

function toInjection(operation: Operation, example: Example, variables: Readonly<Record<string, string>>) {
  const { params = {}, query = {}, body, file } = fillIn(example, variables);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const payload = body ?? file;
  return {
    method: operation.method,
    url: `/api${path}${search.size === 0 ? '' : `?${search}`}`,
    headers: { ...credentialsOf(example, variables), ...(file !== undefined && { 'content-type': 'text/csv' }) },
    ...(payload !== undefined && { payload }),
  };
}

function credentialsOf({ caller = 'account' }: Example, variables: Readonly<Record<string, string>>) {
  if (caller === null) return {};
  const { variable, by } = EXAMPLE_CALLERS[caller];
  const value = variables[variable] ?? '';
  return by === 'bearer' ? { authorization: `Bearer ${value}` } : { cookie: `${CREDENTIAL_COOKIES[by]}=${value}` };
}

type Response = Awaited<ReturnType<ForecastService['app']['inject']>>;

function record(response: Response): RecordedResponse {
  const media_type = String(response.headers['content-type']).replace(/;.*/, '');
  if (media_type === 'application/json') return { media_type, json: response.json() };
  // An archive is not text, so its content is not an example.
  return media_type === 'application/zip' ? { media_type } : { media_type, text: response.body };
}
