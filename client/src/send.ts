import { Attempt } from './attempt.ts';
import { AlmanacError } from './errors.ts';
import { AlmanacFile } from './file.ts';
import { applyOptions, type CallOptions, type Settings } from './options.ts';
import { readReply } from './reply.ts';
import { type Input, type Operation, type PreparedRequest, prepareRequest } from './request.ts';
import { chooseDelay, isTemporary, pause } from './retry.ts';

/** The data of a successful call and the response that it came with. */
export interface Sent {
  readonly data: unknown;
  readonly response: Response;
}

/** Sends a call, again after temporary failures if the operation may be repeated. */
export async function send(
  settings: Settings,
  operation: Operation,
  input: Input,
  options: CallOptions,
): Promise<Sent> {
  const request = prepareRequest(operation, input, options);
  const used = applyOptions(settings, options);
  return repeat(used, operation, options.signal, () => sendOnce(used, operation, request, options.signal));
}

/** Runs an attempt until it succeeds, its failure is not temporary, or the number of retries is used up. */
async function repeat<Result>(
  { maxRetries, retryDelayMs }: Settings,
  { repeat: rule }: Operation,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AlmanacError)) throw error;
      error.attempts = attempts;
      if (rule === 'never' || attempts > maxRetries || !isTemporary(error)) throw error;
      const delay = chooseDelay(attempts, retryDelayMs, error.retryAfterMs);
      if (delay === null) throw error;
      await pause(delay, signal);
    }
  }
}

function sendOnce(
  settings: Settings,
  operation: Operation,
  request: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const attempt = new Attempt(operation, settings, signal);
  return attempt.run(request, async (response) => {
    const data = await readReply(operation, response, attempt);
    // The caller's signal must be able to end the download of a file, which is read later.
    if (!(data instanceof AlmanacFile)) attempt.finish();
    return { data, response };
  });
}
