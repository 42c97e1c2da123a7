import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/index.ts';
import { callAlmanac, type Environment } from '../../../test/support/cli/almanac-process.ts';
import type { Service } from '../../../test/support/cli/service.ts';

export type Headers = Readonly<Record<string, string>>;

type Json = Readonly<Record<string, unknown>>;

/** The caller without credentials. */
export const ANYONE = 'anyone';

export interface CreatedForecast {
  readonly id: string;
  readonly caller: string;
}

/** What a scene creates through a running service: the credentials of its callers, and ids by name. */
export class Scene {
  readonly callers: Record<string, { readonly headers: Headers }> = { [ANYONE]: { headers: {} } };
  /** The forecasts by the case that each is an example of, with a caller that can read it. */
  readonly forecasts = new Map<string, CreatedForecast>();
  readonly #ids: Record<string, string> = {};
  readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  /** Returns the id that was stored under a name. */
  id(name: string): string {
    const id = this.#ids[name];
    if (id === undefined) throw new Error(`The scene has no ${name}.`);
    return id;
  }

  setId(name: string, id: string): string {
    this.#ids[name] = id;
    return id;
  }

  /** Returns the ids of the files in the workspace. */
  files(): string[] {
    return Object.entries(this.#ids).flatMap(([name, id]) => (name === 'file' || name.endsWith(' file') ? [id] : []));
  }

  addKey(caller: string, key: string): void {
    this.callers[caller] = { headers: { authorization: `Bearer ${key}` } };
  }

  /** @param response the one that set the cookie with the credential */
  addCookie(caller: string, response: Response): void {
    const [line = ''] = response.headers.getSetCookie();
    this.callers[caller] = { headers: { cookie: line.slice(0, line.indexOf(';')) } };
  }

  headersOf(caller: string): Headers {
    const found = this.callers[caller];
    if (!found) throw new Error(`The scene has no caller ${caller}.`);
    return found.headers;
  }

  /** Sends a request to the API. Throws if it does not succeed. */
  async request(caller: string, method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
    const headers = { origin: this.service.url, ...this.headersOf(caller), ...init.headers };
    const response = await fetch(`${this.service.url}/api${path}`, { ...init, method, headers });
    if (!response.ok) assert.fail(`${caller}: ${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Sends JSON to the API. Returns the data within the envelope. */
  async send<Data = Json>(caller: string, method: string, path: string, body?: object, more?: Headers) {
    const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...more } };
    const response = await this.request(caller, method, path, json);
    return ((await response.json()) as { readonly data: Data }).data;
  }

  /** Runs a command with the settings of the service. Returns the object that it prints. */
  command<Result = Json>(args: readonly string[], input?: string): Promise<Result> {
    return runJson<Result>(args, this.service.environment, input);
  }
}

/** Runs a command of the command line. Returns the object that it prints. */
export async function runJson<Result>(
  args: readonly string[],
  environment: Environment,
  input?: string,
): Promise<Result> {
  const { code, stdout, stderr } = await callAlmanac(args, environment, input);
  assert.equal(code, 0, `almanac ${args.join(' ')}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

export type ReadOperation = {
  [Id in keyof typeof operations]: (typeof operations)[Id]['method'] extends 'GET' ? Id : never;
}[keyof typeof operations];

/** Returns the path of an operation with its parameters. */
export function pathOf(id: ReadOperation, params: Headers = {}, query: Headers = {}): string {
  const path = operations[id].path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${id}: the parameter ${name} is missing.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}
