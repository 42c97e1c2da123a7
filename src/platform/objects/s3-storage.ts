import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { ObjectStorageSettings } from '../config/object-storage.ts';
import { objectStorageRefused, objectStorageSilent } from '../faults.ts';
import type { Log } from '../log.ts';
import { boundedRequest, type OutboundBytes } from '../outbound/bounded-request.ts';
import { readRetryAfter } from '../outbound/failed-attempt.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { Method } from '../outbound/send.ts';
import { retry, type Sleep } from '../retry.ts';
import { DamagedObjectError, type ObjectStorage } from './object-storage.ts';

export interface S3Options {
  readonly log: Pick<Log, 'warn'>;
  /** Returns the access key that is in use now. Default: that of the settings. */
  readonly accessKey?: () => Pick<ObjectStorageSettings, 'accessKeyId' | 'secretAccessKey'>;
  /** The time limit of one attempt. Default: 10 seconds. */
  readonly attemptMs?: number;
  /** The time after which no further attempt begins. Default: 15 seconds. */
  readonly totalMs?: number;
  readonly sleep?: Sleep;
}

const ATTEMPT_MS = 10_000;
const TOTAL_MS = 15_000;
const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;
/** The largest reply that describes an error. */
const MAX_ERROR_BYTES = 64 * 1024;

/** A failure that the next attempt may not have. */
class Unanswered extends Error {
  readonly reason: string;
  readonly retryAfterMs: number | null;

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Opens an S3-compatible storage. Failed requests are repeated; a storage that does not respond becomes a fault with the
 * code UNAVAILABLE. The log gets the reason, but neither keys nor replies.
 */
export function openS3Storage(settings: ObjectStorageSettings, options: S3Options): ObjectStorage {
  const { region, prefix, acceptsNew } = settings;
  const { log, accessKey = () => settings, attemptMs = ATTEMPT_MS, totalMs = TOTAL_MS, sleep } = options;
  // The signing keys of a day, which take longer to compute than a signature.
  const cache = new Map<string, ArrayBuffer>();

  async function send(method: Method, key: string, body: Uint8Array | undefined, maxBytes: number) {
    // A day has one entry, and those of earlier days are not needed.
    if (cache.size > 2) cache.clear();
    const { accessKeyId, secretAccessKey } = accessKey();
    const signer = new AwsV4Signer({
      method,
      url: addressOf(settings, key),
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache,
    });
    const { url, headers } = await signer.sign();
    return boundedRequest(url.href, {
      method,
      headers: {
        ...Object.fromEntries(headers),
        ...(body && { 'content-length': String(body.byteLength), 'content-type': 'application/octet-stream' }),
      },
      body,
      namedBy: 'operator',
      timeoutMs: attemptMs,
      maxBytes: Math.max(maxBytes, MAX_ERROR_BYTES),
    });
  }

  async function attempt(method: Method, key: string, body: Uint8Array | undefined, maxBytes: number) {
    const reply = await send(method, key, body, maxBytes).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new Unanswered(error.message);
      throw error;
    });
    const { status } = reply;
    if (status === 429 || status === 408 || status >= 500) {
      throw new Unanswered(`HTTP ${status}`, readRetryAfter(reply.headers.get('retry-after'), Date.now()));
    }
    const isMissing = status === 404 && method !== 'PUT' && !reply.bytes.includes('NoSuchBucket');
    if (isMissing || (status >= 200 && status < 300)) return { ...reply, isMissing };
    log.warn({ method, status, code: errorCodeOf(reply) }, 'the object storage refused a request');
    throw objectStorageRefused();
  }

  /** Repeats an attempt while the storage does not answer it properly. */
  async function withRetries<Result>(method: Method, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    return retry(work, {
      sleep,
      delayAfter(error, attempts) {
        const isDamaged = error instanceof DamagedObjectError;
        if (!(error instanceof Unanswered) && !isDamaged) throw error;
        const asked = error instanceof Unanswered ? error.retryAfterMs : null;
        // Half of the delay is random, so that processes do not repeat their requests at the same time.
        const delayMs = asked ?? FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);
        const isLate = performance.now() - startedAt + delayMs > totalMs || delayMs > MAX_DELAY_MS;
        if (attempts < MAX_ATTEMPTS && !isLate) return delayMs;
        if (isDamaged) throw error;
        log.warn({ method, attempts, reason: error.reason }, 'the object storage does not respond');
        throw objectStorageSilent();
      },
    });
  }

  return {
    prefix,
    acceptsNew,
    put: async (key, bytes) => {
      await withRetries('PUT', () => attempt('PUT', key, bytes, 0));
    },
    get: (key, expected) =>
      withRetries('GET', async () => {
        const { bytes, isMissing } = await attempt('GET', key, undefined, expected.bytes);
        if (isMissing) return null;
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        if (bytes.length !== expected.bytes || sha256 !== expected.sha256) throw new DamagedObjectError(key);
        return bytes;
      }),
    delete: async (key) => {
      await withRetries('DELETE', () => attempt('DELETE', key, undefined, 0));
    },
  };
}

/** Returns the address of an object. */
export function addressOf(
  { endpoint, bucket, addressing }: Pick<ObjectStorageSettings, 'endpoint' | 'bucket' | 'addressing'>,
  key: string,
): string {
  if (addressing === 'path') return `${endpoint}/${bucket}/${key}`;
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${bucket}.${host}${pathname.replace(/\/$/, '')}/${key}`;
}

/** Returns the code of an error, such as SignatureDoesNotMatch. */
function errorCodeOf({ bytes }: OutboundBytes): string | undefined {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(bytes.toString('latin1'))?.[1];
}
