import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { MortalProcess } from './mortal-process.ts';

export interface MortalNode extends AsyncDisposable {
  /** Returns the address of the node for a process. */
  urlFor(process: MortalProcess): string;
  /** Is called before a call is forwarded. If it returns true, the reply gets lost, although the process lives. */
  onCall: () => Promise<boolean>;
  /** The bodies of transactions that killed processes were about to send. The network can still deliver them. */
  readonly unsent: string[];
  /** Delivers a body to the node, whatever it replies. */
  deliver(body: string): Promise<void>;
}

const HEADERS = { 'content-type': 'application/json' };

/** Starts a server between processes and a node. The connection of a killed process breaks before or after the call. */
export async function startMortalNode(nodeUrl: string): Promise<MortalNode> {
  const processes: MortalProcess[] = [];
  const agent = new Agent({ keepAlive: true });
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const process = processes[Number(request.url?.slice(1))];
    const body = await text(request);
    const { method } = JSON.parse(body) as { method: string };
    const kind = method === 'eth_sendRawTransaction' ? 'send' : 'call';
    try {
      process?.reach(`before ${kind}`);
    } catch (error) {
      if (kind === 'send') node.unsent.push(body);
      throw error;
    }
    const isLost = await node.onCall();
    const reply = await post(nodeUrl, agent, body);
    process?.reach(`after ${kind}`);
    if (isLost) throw new Error('The reply is lost.');
    response.writeHead(200, HEADERS).end(reply);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const node: MortalNode = {
    urlFor: (process) => `http://127.0.0.1:${port}/${processes.push(process) - 1}`,
    onCall: async () => false,
    unsent: [],
    deliver: async (body) => void (await post(nodeUrl, agent, body)),
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return node;
}

/** Sends a request over a kept connection, which takes a fraction of the time of `fetch`. */
async function post(url: string, agent: Agent, body: string): Promise<string> {
  const request = httpRequest(url, { method: 'POST', headers: HEADERS, agent }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}
