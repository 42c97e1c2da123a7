import { request } from 'node:http';

export interface Downloaded {
  readonly status: number;
  readonly body: Buffer;
}

/** Downloads once over a real connection. */
export function download(port: number, body: object, authorization = ''): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), authorization };
    const path = '/api/market-data/stocks/history';
    const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    outgoing.on('error', reject).end(payload);
  });
}
