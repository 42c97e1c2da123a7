import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  boundedRequest,
  type Clock,
  decodeText,
  type OutboundRequest,
  readRetryAfter,
  revealSecret,
  type SecretValue,
} from '../../platform/index.ts';
import { errorOfStatus, toVbaseError, VbaseError } from './vbase-error.ts';

export interface VbaseClientOptions {
  readonly clock: Clock;
  /** The API key, which every request sends as a Bearer credential. */
  readonly key: SecretValue;
  /** The address of the service, with or without `/api/v1`. */
  readonly url: string;
  /** The time limit of one request. */
  readonly requestMs: number;
}

export interface VbaseCollection {
  readonly name: string;
  readonly cid: string;
}

export interface StampRequest {
  readonly contentCid: string;
  readonly setCid: string;
  /** How far back the service looks for a stamp of the same content id, which it then returns again. */
  readonly windowSeconds: number;
}

/** The reply to a request for a stamp. The receipt is returned as it came, to be checked by `readReceipt`. */
export interface RequestedStamp {
  readonly receipt: Record<string, unknown>;
  /** Whether the request made the stamp; false if the service returned an earlier one again. */
  readonly isNew: boolean;
}

/** The stamps that the service found. Receipts are returned as they came, to be checked by `readReceipt`. */
export interface FoundStamps {
  /** The zone of times that state none. */
  readonly timezone: string | null;
  readonly receipts: readonly Record<string, unknown>[];
}

/** The requests of vBase's API that the stamper needs. All throw `VbaseError`. */
export interface VbaseClient {
  listCollections(signal: AbortSignal): Promise<VbaseCollection[]>;
  createCollection(name: string, signal: AbortSignal): Promise<VbaseCollection>;
  /** Stamps a content id. */
  createStamp(request: StampRequest, signal: AbortSignal): Promise<RequestedStamp>;
  /** Finds the stamps that the account of the key has for content ids. */
  findStamps(contentCids: readonly string[], signal: AbortSignal): Promise<FoundStamps>;
}

const API_PATH = '/api/v1';
/** The status of the reply to a request that made a stamp. */
const CREATED = 201;
/** Far above any known reply. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

const collection = z.object({ name: z.string(), cid: z.string().toLowerCase() });
const receipt = z.record(z.string(), z.unknown());
const stampReply = z.object({ commitment_receipt: receipt });
const verifyReply = z.object({ display_timezone: z.string().nullish(), stamp_list: z.array(receipt) });

/** Creates the client of vBase's API. */
export function createVbaseClient({ clock, key, url, requestMs }: VbaseClientOptions): VbaseClient {
  const address = url.replace(/\/+$/, '');
  const base = address.endsWith(API_PATH) ? address : `${address}${API_PATH}`;

  async function send<Reply>(
    path: string,
    schema: z.ZodType<Reply>,
    request: Pick<OutboundRequest, 'method' | 'body' | 'headers' | 'signal'>,
  ): Promise<{ readonly status: number; readonly reply: Reply }> {
    const headers = { ...request.headers, accept: 'application/json', authorization: `Bearer ${revealSecret(key)}` };
    const limits = { namedBy: 'operator', timeoutMs: requestMs, maxBytes: MAX_REPLY_BYTES } as const;
    try {
      const {
        status,
        bytes,
        headers: sent,
      } = await boundedRequest(`${base}${path}`, { ...request, ...limits, headers });
      if (status < 200 || status > 299) {
        throw errorOfStatus(status, readRetryAfter(sent.get('retry-after'), clock.now().getTime()));
      }
      const parsed = schema.safeParse(parseJson(decodeText(bytes)));
      if (!parsed.success) throw new VbaseError('unclear', 'unreadable reply');
      return { status, reply: parsed.data };
    } catch (error) {
      throw toVbaseError(error);
    }
  }

  async function postJson<Reply>(path: string, schema: z.ZodType<Reply>, value: object, signal: AbortSignal) {
    const body = Buffer.from(JSON.stringify(value));
    const headers = { 'content-type': 'application/json' };
    return (await send(path, schema, { method: 'POST', body, headers, signal })).reply;
  }

  return {
    listCollections: async (signal) => (await send('/collections', z.array(collection), { signal })).reply,

    createCollection: (name, signal) =>
      postJson('/collections', collection, { name, description: 'Proofs of forecasts' }, signal),

    async createStamp({ contentCid, setCid, windowSeconds }, signal) {
      // The collection is sent as its id, because the service compares names without regard to case.
      const { contentType, body } = buildForm({
        data_cid: contentCid,
        collection_cid: setCid,
        store_stamped_file: 'false',
        idempotent: 'true',
        idempotency_window: String(windowSeconds),
      });
      const headers = { 'content-type': contentType };
      const { status, reply } = await send('/stamps', stampReply, { method: 'POST', body, headers, signal });
      return { receipt: reply.commitment_receipt, isNew: status === CREATED };
    },

    async findStamps(contentCids, signal) {
      const body = { cids: contentCids, filter_by_user: true };
      const reply = await postJson('/stamps/verify', verifyReply, body, signal);
      return { timezone: reply.display_timezone ?? null, receipts: reply.stamp_list };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Builds the body of a form with text fields (`multipart/form-data`). */
function buildForm(fields: Readonly<Record<string, string>>): { readonly contentType: string; readonly body: Buffer } {
  // No value can contain the boundary, because it is random.
  const boundary = `almanac-${randomBytes(16).toString('hex')}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}
