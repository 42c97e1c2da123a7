import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MCP_PATH } from '../../identity/index.ts';
import { signalOf } from '../edge/client-signal.ts';
import type { OpenStreams } from '../open-streams.ts';
import type { ApiParts } from '../parts.ts';
import { admitAgent, sendAgentError } from './admit-agent.ts';
import { AgentCaller } from './agent-caller.ts';
import { messagesInList } from './faults.ts';
import type { McpService } from './mcp-service.ts';

/** The largest message: the rows of a small series as text, and the rest of a call. */
const MAX_MESSAGE_BYTES = 128 * 1024;

/** Registers the address at which agents use the service by the Model Context Protocol. */
export async function registerMcp(app: FastifyInstance, parts: ApiParts, streams: OpenStreams): Promise<void> {
  let opened: Promise<McpService> | null = null;
  // Loading the protocol takes a quarter of a second, which services without agents should not spend.
  const open = () => (opened ??= import('./mcp-service.ts').then(({ openMcpService }) => openMcpService(parts.log)));
  await app.register(async (context) => {
    context.setErrorHandler(sendAgentError);
    context.addHook('onClose', async () => (await opened)?.close());
    context.route({
      method: 'POST',
      url: MCP_PATH,
      config: { jsonBody: { bytes: MAX_MESSAGE_BYTES } },
      // Compression would delay the events of a stream.
      compress: false,
      onRequest: async (request, reply) => {
        const { principal, rateLimit } = await admitAgent(parts, request, reply);
        request.principal = principal;
        request.rateLimit = rateLimit;
      },
      handler: async (request, reply) => {
        if (Array.isArray(request.body)) throw messagesInList();
        if (request.principal === null) throw new Error('The handler was called before the request was admitted.');
        const agent = new AgentCaller(parts, request, reply, request.principal, streams);
        const service = await open();
        return sendResponse(reply, await service.respond(toWebRequest(request, reply), request.body, agent));
      },
    });
  });
}

/** Returns the request as the protocol's package reads it, without its credentials. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && name !== 'cookie' && value !== undefined) headers.set(name, String(value));
  }
  // The body was read and parsed already. The package knows only this type, not every type of JSON.
  headers.set('content-type', 'application/json');
  const url = new URL(MCP_PATH, request.server.siteUrl());
  return new Request(url, { method: request.method, headers, signal: signalOf(reply) });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).headers(Object.fromEntries(response.headers)).header('cache-control', 'no-store');
  if (response.body === null) return reply.send();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return reply.send(isStream ? Readable.fromWeb(response.body as ReadableStream) : await response.text());
}
