import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../api/loopback-tls.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of an application on loopback, with TLS that this process trusts. It serves the application's documents. */
export interface ClientDocumentServer extends AsyncDisposable {
  readonly url: string;
  /** Serves a document, and returns its URL, which is the id of the client. */
  serve(name: string, fields?: Readonly<Record<string, unknown>>): string;
  /** Answers the requests for a path in another way, and returns the URL. */
  answer(name: string, answer: Answer): string;
  /** Returns how often a path was requested. */
  requestsFor(name: string): number;
}

export async function startClientDocumentServer(callback: string): Promise<ClientDocumentServer> {
  const certificate = selfSigned();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const answers = new Map<string, Answer>();
  const requested: string[] = [];
  const server = createServer(certificate, (request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end('no such document');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer: ClientDocumentServer['answer'] = (name, handle) => {
    answers.set(`/${name}`, handle);
    return `${url}/${name}`;
  };
  return {
    url,
    answer,
    serve: (name, fields = {}) =>
      answer(name, (_request, response) => {
        const document = {
          client_id: `${url}/${name}`,
          client_name: 'Harbor Agent',
          redirect_uris: [callback],
          ...fields,
        };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      }),
    requestsFor: (name) => requested.filter((path) => path === `/${name}`).length,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
