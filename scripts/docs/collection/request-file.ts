import {
  CREDENTIAL_COOKIES,
  EXAMPLE_CALLERS,
  type Example,
  type KeptValue,
  type Operation,
} from '../../../src/contract/index.ts';
import { type Block, formatBru, formatJson } from './bru.ts';

interface CollectedRequest {
  readonly operation: Operation;
  readonly summary: string;
  readonly example: Example;
  /** The place in its folder, counted from 1. */
  readonly position: number;
}

/** Formats the file of one request. */
export function formatRequest({ operation, summary, example, position }: CollectedRequest): string {
  const { params = {}, query = {}, body, file } = example;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const { auth, ...credential } = credentialOf(example);
  return formatBru([
    { name: 'meta', fields: { name: summary, type: 'http', seq: position } },
    {
      name: operation.method.toLowerCase(),
      fields: {
        url: `{{base_url}}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`,
        body: body !== undefined ? 'json' : file !== undefined ? 'text' : 'none',
        auth,
      },
    },
    { name: 'params:query', fields: query },
    { name: 'headers', fields: { ...credential.headers, ...(file !== undefined && { 'content-type': 'text/csv' }) } },
    { name: 'auth:bearer', fields: credential.token === undefined ? {} : { token: credential.token } },
    { name: 'body:json', text: body === undefined ? '' : formatJson(body) },
    { name: 'body:text', text: file ?? '' },
    { name: 'script:pre-request', text: auth === 'none' ? FORGET_COOKIES : '' },
    { name: 'vars:post-response', fields: listKeptPaths(example) },
    { name: 'assert', fields: { 'res.status': `eq ${operation.status}` } },
    { name: 'script:post-response', text: keepingScript(example) },
    { name: 'docs', text: operation.description ?? '' },
  ] satisfies Block[]);
}

/** Bruno stores cookies of responses, and sends a stored cookie instead of the one that a request names. */
const FORGET_COOKIES = 'await bru.cookies.jar().deleteCookies(bru.getEnvVar("base_url"));';

interface Credential {
  readonly auth: 'bearer' | 'none';
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function credentialOf({ caller = 'account' }: Example): Credential {
  if (caller === null) return { auth: 'none' };
  const { variable, by } = EXAMPLE_CALLERS[caller];
  if (by === 'bearer') return { auth: 'bearer', token: `{{${variable}}}` };
  return { auth: 'none', headers: { cookie: `${CREDENTIAL_COOKIES[by]}={{${variable}}}` } };
}

function listKept({ keeps = {} }: Example): [string, KeptValue][] {
  return Object.entries(keeps);
}

/** Returns the variables that Bruno reads from the response by their paths. */
function listKeptPaths(example: Example): Record<string, string> {
  const paths = listKept(example).flatMap(([name, kept]): [string, string][] =>
    typeof kept === 'string' ? [[name, `res.body.${kept.replaceAll(/\.(\d+)/g, '[$1]')}`]] : [],
  );
  return Object.fromEntries(paths);
}

/** Returns the script that keeps what a path cannot name: the last part of an address, and a cookie. */
function keepingScript(example: Example): string {
  const lines = listKept(example).flatMap(([name, kept]) =>
    typeof kept === 'string' ? [] : [`bru.setVar("${name}", res.body.${kept.lastPartOf}.split("/").pop());`],
  );
  const { keepsCookie } = example;
  if (keepsCookie) {
    lines.push(
      'const cookies = [res.getHeader("set-cookie") ?? []].flat().join("; ");',
      `bru.setVar("${keepsCookie}", cookies.match(/${CREDENTIAL_COOKIES[keepsCookie]}=([^;]+)/)?.[1] ?? "");`,
    );
  }
  return lines.join('\n');
}
