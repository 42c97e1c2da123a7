// Sends one body several times, three at a time. It runs in its own thread, so that sending does not delay the reads
// that the bench measures.

import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export interface Attack {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly count: number;
  readonly atATime: number;
}

const { url, headers, body, count, atATime } = workerData as Attack;
const statuses: number[] = [];
let left = count;

function send(): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { ...headers, 'content-length': body.length } });
    outgoing.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function sendSome(): Promise<void> {
  while (left-- > 0) statuses.push(await send());
}

await Promise.all(Array.from({ length: atATime }, sendSome));
parentPort?.postMessage(statuses);
