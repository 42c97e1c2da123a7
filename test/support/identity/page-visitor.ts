import type { FastifyInstance } from 'fastify';
import { SITE_URL } from '../api/api.ts';

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: string;
  /** The target of a redirect; undefined for a page. */
  readonly location: string | undefined;
  /** The text of the page, without its markup. */
  readonly text: string;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** A headless browser: it keeps cookies, sends the origin of its forms, and does not follow redirects. */
export interface PageVisitor {
  readonly cookies: Map<string, string>;
  get(path: string, sending?: SendOptions): Promise<PageReply>;
  /** Sends a form as a page of the site would. */
  post(path: string, fields: Readonly<Record<string, string>> | string, sending?: SendOptions): Promise<PageReply>;
}

export function pageVisitor(app: FastifyInstance, origin = SITE_URL): PageVisitor {
  const cookies = new Map<string, string>();

  async function send(
    method: 'GET' | 'POST',
    url: string,
    payload: string | undefined,
    { headers = {}, address }: SendOptions,
  ) {
    const response = await app.inject({
      method,
      url,
      remoteAddress: address ?? '127.0.0.1',
      headers: {
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(payload !== undefined && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
      location: response.headers.location?.toString(),
      text: textOf(response.body),
    };
  }

  return {
    cookies,
    get: (path, sending = {}) => send('GET', path, undefined, sending),
    post: (path, fields, sending = {}) =>
      send('POST', path, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), sending),
  };
}

function textOf(markup: string): string {
  return markup
    .replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
