import type { Requests } from './drivers.ts';
import type { Request } from './http-client.ts';
import type { PinnedScene } from './pinned-scene.ts';

export function get(path: string): Requests {
  return () => ({ method: 'GET', path });
}

export function post(path: string, body: object): Request {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

export function search(i: number): Request {
  const words = ['apple', 'unemployment', 'bitcoin', 'gold', 'inflation', 'retail sales', 'euro', 'electricity'];
  return post('/api/v1/market-search', { query: words[i % words.length] ?? '', local: true });
}

export function history(): Request {
  return post('/api/market-data/stocks/history', { symbol: '^GSPC', timeframe: '1Day', limit: 500 });
}

export function uploads(workspace: string): Requests {
  const csv = Array.from(
    { length: 2_000 },
    (_, i) => `${new Date(86_400_000 * i).toISOString().slice(0, 10)},${i % 97}`,
  );
  return (i) => ({
    method: 'POST',
    path: `/api/v1/workspaces/${workspace}/csv?name=file-${i}.csv`,
    contentType: 'text/csv',
    body: `date,value\n${csv.join('\n')}\n`,
  });
}

export async function createWorkspace(scene: PinnedScene): Promise<string> {
  const { data } = await call(scene, post('/api/v1/workspaces', { name: 'Load' }));
  return (data as { id: string }).id;
}

export async function call({ port, key }: PinnedScene, { method, path, body }: Request) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return { status: response.status, data };
}
