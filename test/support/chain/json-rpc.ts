/** Calls a JSON-RPC method and returns its result. */
export type Rpc = <Result = unknown>(method: string, params?: readonly unknown[]) => Promise<Result>;

/** The error that a node replied with. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(`${method}: ${error.message}`);
    this.code = error.code;
    this.data = error.data;
  }
}

/** Returns a client of the node at `url`. It uses nothing of the service, so that tests compare two implementations. */
export function createRpc(url: string): Rpc {
  let lastId = 0;
  return async <Result>(method: string, params: readonly unknown[] = []): Promise<Result> => {
    lastId += 1;
    const response = await fetch(url, {
      method: 'POST',
      // The node closes idle connections, which a busy test would use again too late.
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }),
    });
    const reply = (await response.json()) as { result: Result; error?: ConstructorParameters<typeof RpcError>[1] };
    if (reply.error !== undefined) throw new RpcError(method, reply.error);
    return reply.result;
  };
}
