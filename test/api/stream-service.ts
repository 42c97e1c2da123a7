import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream, parseLastEventId, type StreamEvent } from '../../src/api/event-stream.ts';
import { OpenStreams, type OpenStreamsOptions } from '../../src/api/open-streams.ts';
import type { Database } from '../../src/platform/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { listenOnLoopback } from '../support/api/http.ts';

export const PATH = '/api/v1/stream';

export type Source = (signal: AbortSignal, after: number) => AsyncIterable<StreamEvent>;

export interface ServedOptions extends Pick<OpenStreamsOptions, 'keepAliveMs' | 'maxStreams'> {
  /** Returns whether the caller may still read. */
  readonly canContinue?: () => Promise<boolean>;
  readonly beforeAnswer?: () => Promise<unknown>;
}

const WATCHER = { principal: { kind: 'guest', guestId: 'gst_of_a_test' }, forecastId: 'ef_of_a_test' } as const;

/** Starts the service with one stream of the test and records the replies of that stream. */
export async function serveStream(database: Database, source: Source, options: ServedOptions = {}) {
  const replies: FastifyReply[] = [];
  const api: TestApi = await openApi(database, {}, (app) => {
    const { canContinue = async () => true, ...limits } = options;
    const checkWatchers = (watchers: readonly unknown[]) => Promise.all(watchers.map(canContinue));
    const streams = new OpenStreams(app, { ...limits, checkWatchers });
    app.get(PATH, { exposeHeadRoute: false }, async (incoming: FastifyRequest, reply) => {
      await options.beforeAnswer?.();
      const from = parseLastEventId((incoming.headers['last-event-id'] as string | undefined) ?? null);
      replies.push(reply);
      return new EventStream((signal) => source(signal, from), WATCHER).send(reply, streams);
    });
  });
  const port = await listenOnLoopback(api.app);
  const close = () => api.app.close();
  return { ...api, port, replies, close, [Symbol.asyncDispose]: close };
}

/** Yields events with numbers after `from` up to `last`, as fast as they are read. */
export async function* count(from: number, last: number, data: unknown = {}): AsyncGenerator<StreamEvent> {
  for (let id = from + 1; id <= last; id++) yield { id, kind: 'progress', data };
}

/** Yields nothing until the signal aborts. */
export async function* silence(signal: AbortSignal): AsyncGenerator<StreamEvent> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

export function parseFrames(text: string): Frame[] {
  assert.ok(text.endsWith('\n\n'), 'the last frame is complete');
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((frame) =>
      Object.fromEntries(
        frame.split('\n').map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon) || 'comment', line.slice(colon + 2)];
        }),
      ),
    );
}

/** Opens a stream and leaves it open. `text` returns what has arrived so far. */
export function open(port: number): Promise<{ response: IncomingMessage; text: () => string; ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: PATH, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const ended = new Promise<void>((settle) => response.once('close', settle));
      response.on('error', () => {});
      resolve({ response, text: () => text, ended });
    });
    outgoing.end();
  });
}

/** Polls until the condition holds. If it never holds, the test times out. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}
