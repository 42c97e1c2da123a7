import { type IncomingMessage, request } from 'node:http';
import { type Caller, FORECASTS } from './forecast-service.ts';

/** An open stream of the events of a forecast. */
export interface WatchedForecast {
  readonly response: IncomingMessage;
  /** Returns the text received so far. */
  readonly text: () => string;
}

/** Watches a forecast over HTTP. */
export function watch(
  port: number,
  { credentials }: Caller,
  id: string,
  headers: object = {},
): Promise<WatchedForecast> {
  return new Promise((resolve, reject) => {
    const path = `/api${FORECASTS}/${id}/events`;
    const outgoing = request({ host: '127.0.0.1', port, path, headers: { ...credentials, ...headers }, agent: false });
    outgoing.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', () => {});
      resolve({ response, text: () => text });
    });
    outgoing.end();
  });
}

/** Returns the ids of the events in the text of a stream. */
export function idsOf(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
