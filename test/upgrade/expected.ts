import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckReport } from '../../src/compose/index.ts';
import type { DatabaseKind } from '../support/platform/database.ts';
import { FIRST_BUILD, type FixtureFolder, readPacked } from './fixtures.ts';

/** Of a larger body, the digest is recorded. */
export const MAX_BODY = 64 * 1024;

/** A response of the build that wrote a fixture. */
export interface RecordedResponse {
  readonly caller: string;
  readonly path: string;
  readonly status: number;
  /** The bytes of the reply, unless the digest is recorded. */
  readonly body?: string;
  /** The SHA-256 of the body. */
  readonly sha256?: string;
}

/** The responses of the build that wrote a fixture, and the secrets that it issued. */
export interface Expected {
  readonly written_at: string;
  readonly site_url: string;
  readonly account: { readonly id: string; readonly email: string; readonly password: string };
  readonly oauth: { readonly client_id: string; readonly refresh_token: string };
  readonly idempotency: { readonly key: string; readonly body: object; readonly forecast_id: string };
  /** Forecast ids by the case that each is an example of. */
  readonly forecasts: Readonly<Record<string, string>>;
  /** The fingerprint of the forecast with every default model. */
  readonly fingerprint: Readonly<Record<string, string | null>>;
  /** The headers that authenticate each caller, by name. */
  readonly callers: Readonly<Record<string, { readonly headers: Readonly<Record<string, string>> }>>;
  readonly demo_key: string;
  /** The report of `almanac ledger check`. */
  readonly ledger: { readonly entries: number; readonly transfers: number };
  readonly answers: readonly RecordedResponse[];
}

/** The same of a release. */
export interface ReleaseExpected extends Expected {
  /** The versions of the build, of its interface and of its engine. */
  readonly build: string;
  readonly interface: string;
  readonly engine: string;
  /** The digest of the list of its migrations. */
  readonly migrations: string;
  /** The report of `almanac check`. */
  readonly check: CheckReport;
}

export function readExpected(kind: DatabaseKind): Expected {
  return JSON.parse(readFileSync(join(FIRST_BUILD.folder, `expected.${kind}.json`), 'utf8'));
}

export function readReleaseExpected(fixture: FixtureFolder, kind: DatabaseKind): ReleaseExpected {
  return JSON.parse(readPacked(fixture, `expected.${kind}.json.br`).toString('utf8'));
}

/** Fields that may differ from the recorded response, with the reason. The message of an error is prose; its code is not. */
const VARIES = {
  last_used_at: 'changes when a key or session is used',
  last_read_at: 'changes when a feed is read',
  last_email: 'an email that waited when the fixture was made is sent while it is open',
  requests: 'counts the requests of a minute, and tests have other limits',
  message: 'in errors only',
  current_model: 'null unless the forecast is running',
} as const;

/** Lists that may have become longer: newer builds have further scopes, which a session may use, and further models. */
const GROWING: readonly string[] = ['token_scopes', 'models'];

/** Values that have another name since. */
const RENAMED: Readonly<Record<string, string>> = { evm_merkle: 'vbase' };

/** Asserts that a response equals the recorded one. JSON may have new keys; a file or a stream has the same bytes. */
export function assertResponse(recorded: RecordedResponse, status: number, body: string): void {
  const where = `${recorded.caller}: GET ${recorded.path}`;
  assert.equal(status, recorded.status, `${where}\n${body}`);
  if (recorded.body === undefined) {
    assert.equal(createHash('sha256').update(body).digest('hex'), recorded.sha256, where);
  } else if (recorded.body.startsWith('{')) {
    assertSubset(JSON.parse(body), JSON.parse(recorded.body), where, status >= 400);
  } else assert.equal(body, recorded.body, where);
}

function assertSubset(found: unknown, recorded: unknown, where: string, isRefusal: boolean): void {
  if (Array.isArray(recorded)) {
    assert.ok(Array.isArray(found), `${where} is no longer a list`);
    assert.equal(found.length, recorded.length, `${where} has a different length`);
    for (const [i, one] of recorded.entries()) assertSubset(found[i], one, `${where}[${i}]`, isRefusal);
  } else if (typeof recorded === 'object' && recorded !== null) {
    assert.ok(typeof found === 'object' && found !== null, `${where} is no longer an object`);
    for (const [key, value] of Object.entries(recorded)) {
      // New forecasts use the newest checkpoint of the build. Those of stored forecasts are compared.
      if (key === 'checkpoint' && where.includes('/forecast/models')) continue;
      assert.ok(key in found, `${where}.${key} is missing`);
      const varies = key in VARIES && (key !== 'message' || isRefusal);
      if (varies) continue;
      const present = (found as Record<string, unknown>)[key];
      const isLonger = GROWING.includes(key) && Array.isArray(present) && Array.isArray(value);
      assertSubset(isLonger ? present.slice(0, value.length) : present, value, `${where}.${key}`, isRefusal);
    }
  } else assert.deepEqual(found, typeof recorded === 'string' ? (RENAMED[recorded] ?? recorded) : recorded, where);
}
