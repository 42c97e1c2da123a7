import type { FastifyInstance } from 'fastify';

/** The id of all requests, so that whole bodies can be compared. */
const REQUEST_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

export interface PageReply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a function that opens a page without a credential. */
export function pageReader(app: FastifyInstance) {
  return async (
    url: string,
    { method = 'GET', headers = {}, address = '127.0.0.1' }: OpenOptions = {},
  ): Promise<PageReply> => {
    const response = await app.inject({
      method,
      url,
      headers: { 'x-request-id': REQUEST_ID, ...headers },
      remoteAddress: address,
    });
    return {
      status: response.statusCode,
      body: response.body,
      headers: response.headers as Readonly<Record<string, string>>,
    };
  };
}

interface OpenOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** Every address of a forecast: those that need only the forecast, and those that need its result. */
export const FORECAST_PAGES = (slug: string) => [`/forecasts/${slug}`, `/embed/${slug}`];
export const RESULT_FILES = (slug: string) =>
  ['chart.svg', 'chart.png', 'proof.json'].map((name) => `/forecasts/${slug}/${name}`);

/**
 * Reads what addresses at which nothing ever was get. Only the page of a forecast offers a sign-in, so there are two.
 *
 * @returns whether a body is that of such an address. The address at which a sign-in continues may differ.
 */
export async function readMissing(
  open: ReturnType<typeof pageReader>,
): Promise<(url: string, body: string) => boolean> {
  const withoutReturn = (body: string) => body.replace(/return_to=[^"]*/, 'return_to=');
  const read = async (url: string) => withoutReturn((await open(url)).body);
  const [page, other] = [await read('/forecasts/nothing-ever-was-here'), await read('/embed/nothing-ever-was-here')];
  return (url, body) => withoutReturn(body) === (/^\/forecasts\/[^/]*$/.test(url) ? page : other);
}
