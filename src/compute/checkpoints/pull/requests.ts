import {
  type NamedBy,
  OutboundError,
  type OutboundFault,
  type OutboundStream,
  type OutboundStreamOptions,
  openStream,
  REDIRECTS,
  retry,
} from '../../../platform/index.ts';
import { CheckpointError } from '../checkpoint.ts';
import type { PullEvent, RetryPolicy } from './pull.ts';

const MAX_REDIRECTS = 5;
/** Why a redirect that others named is not followed, by the kind of the error. */
const REFUSED_HOPS: Partial<Record<OutboundFault, string>> = {
  not_public:
    'it redirects to an address that is not on the public internet; use --from with that address or list it in ALMANAC_OUTBOUND_ALLOW',
  not_https: 'it redirects to another server by http; use --from with an https address',
};

/**
 * Opens a URL and follows redirects, which `openStream` does not do: the hub with the released weights redirects to its
 * file store. No credential is sent and the content is hashed, but a redirect must not make this machine request
 * addresses that the redirecting server could not reach itself. Each address is therefore checked unless the operator
 * named its origin and no other server has named an address since.
 */
export async function openFollowingRedirects(
  url: string,
  options: Omit<OutboundStreamOptions, 'namedBy'>,
): Promise<OutboundStream> {
  let address = new URL(url);
  const { origin } = address;
  let namedBy: NamedBy = 'operator';
  for (let followed = 0; ; followed += 1) {
    if (address.origin !== origin) namedBy = 'others';
    const reply = await openStream(address.href, { ...options, namedBy }).catch((error: unknown) => {
      const reason = error instanceof OutboundError ? REFUSED_HOPS[error.kind] : undefined;
      throw reason === undefined ? error : downloadRefused(url, reason);
    });
    if (!REDIRECTS.includes(reply.status)) return reply;
    await reply[Symbol.asyncDispose]();
    if (followed === MAX_REDIRECTS) throw downloadRefused(url, `it redirects more than ${MAX_REDIRECTS} times`);
    address = resolveRedirect(url, address, reply.headers.get('location'));
  }
}

/** Returns the target of a redirect. Throws if it must not be followed. */
export function resolveRedirect(start: string, from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from.href);
  if (next === null || !/^https?:$/.test(next.protocol)) {
    throw downloadRefused(start, 'it redirects to an address that is not http or https');
  }
  if (from.protocol === 'https:' && next.protocol !== 'https:') {
    throw downloadRefused(start, 'it redirects from https to http');
  }
  if (next.username !== '' || next.password !== '') {
    throw downloadRefused(start, 'it redirects to an address with a password');
  }
  return next;
}

export function downloadRefused(url: string, reason: string): CheckpointError {
  return new CheckpointError('DOWNLOAD_REFUSED', `${url} cannot be downloaded: ${reason}.`);
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  stallMs: 30_000,
  delaysMs: [1_000, 2_000, 4_000, 8_000, 16_000],
};

/** A failure that may not occur in the next attempt. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
}

/**
 * Temporary reasons why a server cannot be reached. A name that does not exist and a bad certificate are not temporary.
 */
const TRANSIENT_CODES = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'];

/**
 * Some stores send this header even for files that are not compressed, so neither decompressing nor ignoring it is
 * safe.
 */
const ENCODED =
  'the server marks the file as compressed (Content-Encoding); use --from with a server that sends it unchanged';

interface RetriedPull {
  readonly retryPolicy: RetryPolicy;
  readonly onEvent: (event: PullEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** Runs a step of a pull until it succeeds or fails permanently. The message of the final error names `url`. */
export function withPullRetries<Result>(
  { retryPolicy, onEvent, signal }: RetriedPull,
  url: string,
  step: () => Promise<Result>,
): Promise<Result> {
  const delayAfter = (error: unknown, attempts: number): number => {
    const { reason, isTransient } = classifyFailure(error);
    const delay = retryPolicy.delaysMs[attempts - 1];
    if (!isTransient || delay === undefined) {
      const hint = attempts === 1 ? '' : ` (after ${attempts} attempts; run the same command to resume)`;
      const message = `${url} cannot be downloaded: ${reason}${hint}.`;
      throw new CheckpointError('DOWNLOAD_FAILED', message, { cause: error });
    }
    onEvent({ kind: 'note', text: `${reason}; retrying` });
    return delay;
  };
  return retry(step, { delayAfter, signal });
}

/**
 * Classifies an error of the network or the server. Rethrows other errors, for which another attempt would not help.
 */
function classifyFailure(error: unknown): { reason: string; isTransient: boolean } {
  if (error instanceof TransientError) return { reason: error.message, isTransient: true };
  if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
  const { kind, code, message } = error;
  const isTransient =
    kind === 'timeout' || kind === 'truncated' || (kind === 'unreachable' && TRANSIENT_CODES.includes(code ?? ''));
  if (kind === 'encoded') return { reason: ENCODED, isTransient };
  return { reason: message.replace(/^The/, 'the').replace(/\.(?= \(|$)/, ''), isTransient };
}
