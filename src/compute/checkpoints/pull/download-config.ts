import { CONFIG_FILE, MAX_JSON_BYTES } from '../checkpoint.ts';
import { CheckpointError } from '../checkpoint-error.ts';
import { judgeReply } from './judge-reply.ts';
import { openFollowing } from './open-following.ts';
import { PassingFailure, type Patience } from './retries.ts';

/** One try at the small one of the two files. */
export async function downloadConfig(
  url: string,
  { stallMs }: Patience,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  await using reply = await openFollowing(url, { stallMs, signal });
  const judgement = judgeReply(reply.status, reply.headers, { offset: 0, etag: undefined, size: undefined });
  if (judgement.kind === 'try-again') throw new PassingFailure(judgement.why);
  if (judgement.kind !== 'replace') {
    const why = judgement.kind === 'refused' ? judgement.why : 'the server sent something else';
    throw new CheckpointError('DOWNLOAD_REFUSED', `${url} cannot be downloaded: ${why}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.chunks) {
    length += chunk.byteLength;
    if (length > MAX_JSON_BYTES) {
      throw new CheckpointError('TOO_LARGE', `${CONFIG_FILE} at ${url} has more than ${MAX_JSON_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
