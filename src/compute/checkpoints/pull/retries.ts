import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../../../platform/index.ts';
import { CheckpointError } from '../checkpoint-error.ts';

/** How patient a pull is. */
export interface Patience {
  /** The longest silence of a server. */
  readonly stallMs: number;
  /** The pauses before the second, third, … try. After the last one it gives up. */
  readonly pausesMs: readonly number[];
}

export const USUAL_PATIENCE: Patience = { stallMs: 30_000, pausesMs: [1_000, 2_000, 4_000, 8_000, 16_000] };

/** Worth another try. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
}

/** Reasons of an unreachable server that pass. A name that does not exist or a bad certificate stays as it is. */
const PASSING_CODES = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
];

/** A store may say so of files that are not: what the mark is worth cannot be known, nor the hash be counted on. */
const ENCODED =
  'the server marks the file as compressed (Content-Encoding); name a server with --from that sends it as it is';

/** Runs a step until it succeeds or fails for good; `url` is named when it is given up. */
export async function withRetries<Result>(
  url: string,
  { pausesMs }: Patience,
  step: () => Promise<Result>,
  options: { readonly onRetry: (why: string) => void; readonly signal: AbortSignal | undefined },
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      const { why, passes } = weigh(error);
      const pause = pausesMs[tries - 1];
      if (!passes || pause === undefined) {
        const after = tries === 1 ? '' : ` (tried ${tries} times; run the same command to go on)`;
        throw new CheckpointError('DOWNLOAD_FAILED', `${url} cannot be downloaded: ${why}${after}.`, { cause: error });
      }
      options.onRetry(why);
      await sleep(pause, undefined, options.signal && { signal: options.signal });
    }
  }
}

/** Throws what is neither of the network nor of the server: another try would not mend it. */
function weigh(error: unknown): { why: string; passes: boolean } {
  if (error instanceof PassingFailure) return { why: error.message, passes: true };
  if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error;
  const { kind, code, message } = error;
  const passes =
    kind === 'timeout' || kind === 'truncated' || (kind === 'unreachable' && PASSING_CODES.includes(code ?? ''));
  if (kind === 'encoded') return { why: ENCODED, passes };
  return { why: message.replace(/^The/, 'the').replace(/\.(?= \(|$)/, ''), passes };
}
