import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/index.ts';
import { startErrorResponse } from '../../edge/error-response.ts';
import { fileDisposition, matchesEtag } from '../../responses.ts';
import { type Html, html } from '../html.ts';
import { ownAddress, withReturnTo } from '../visit.ts';
import { renderPublicDocument } from './document.ts';
import type { Publication } from './publications.ts';
import { CHART_STYLE_SOURCE, PUBLIC_STYLE_SOURCE } from './style.ts';

/** How a publication is sent. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether other sites may show it in a frame. */
  readonly canBeFramed?: true;
  /** The end of the name under which browsers save it. */
  readonly fileName?: string;
}

function policyOf(style: string | null, frameAncestors: "'none'" | '*'): string {
  const rules = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", `frame-ancestors ${frameAncestors}`];
  return [...rules, ...(style === null ? [] : [`style-src ${style}`])].join('; ');
}

const HTML = 'text/html; charset=utf-8';
const PAGE_POLICY = policyOf(PUBLIC_STYLE_SOURCE, "'none'");

/** Other sites may show charts as images and the embedded page in a frame. */
const FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'cross-origin' };

/** No policy allows a script. Only the embedded page may be framed. */
export const FORMS = {
  page: { headers: { 'content-type': HTML, 'content-security-policy': PAGE_POLICY } },
  embed: {
    headers: {
      ...FOR_OTHER_SITES,
      'content-type': HTML,
      'content-security-policy': policyOf(PUBLIC_STYLE_SOURCE, '*'),
    },
    canBeFramed: true,
  },
  svg: {
    headers: {
      ...FOR_OTHER_SITES,
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': policyOf(CHART_STYLE_SOURCE, "'none'"),
    },
  },
  png: {
    headers: { ...FOR_OTHER_SITES, 'content-type': 'image/png', 'content-security-policy': policyOf(null, "'none'") },
  },
  proof: {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': policyOf(null, "'none'"),
    },
    fileName: 'proof.json',
  },
} as const satisfies Record<string, Form>;

/** Sends a publication with its ETag, or 304 when the client already has this version. */
export function sendPublication(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Publication,
  { headers, canBeFramed, fileName }: Form,
): FastifyReply {
  // The ETag is weak, because the body may be compressed. It is the same for every reader, so that proxies can keep it.
  reply.headers({ ...headers, etag: `W/${etag}`, 'cache-control': 'public, max-age=60' });
  if (canBeFramed) reply.removeHeader('x-frame-options');
  if (fileName) {
    const { slug } = request.params as { readonly slug: string };
    reply.header('content-disposition', fileDisposition(`${slug}-${fileName}`));
  }
  return matchesEtag(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'There is nothing public here',
  RATE_LIMITED: 'Too many requests',
  UNAVAILABLE: 'Temporarily unavailable',
  INTERNAL: 'Something went wrong',
};

/**
 * Sends an error page for any thrown value. Apart from the request id and the address at which to continue after a
 * sign-in, the page depends only on the fault and on the kind of the address.
 */
export function sendPublicError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message } = startErrorResponse(error, request, reply);
  const title = TITLES[code] ?? 'This did not work';
  return reply.headers(FORMS.page.headers).send(
    renderPublicDocument({
      title,
      kind: 'Error',
      body: html`<div class="card stack">
<h1>${title}</h1>
<p role="alert">${message}</p>
${code === 'NOT_FOUND' && renderNextSteps(request)}
<p class="hint">Request ${request.id}</p>
</div>`,
    }),
  );
}

/** The pages that show more to a browser with a session. */
const PRIVATE_TO_SOME = '/forecasts/:slug';

function renderNextSteps({ routeOptions, url }: FastifyRequest): Html {
  const start = html`<a class="button quiet" href="/">Go to the start page</a>`;
  if (routeOptions.url !== PRIVATE_TO_SOME) return html`<p>${start}</p>`;
  return html`<p>If it is yours, sign in to open it.</p>
<p><a class="button" href="${withReturnTo('/auth/sign-in', ownAddress(url))}">Sign in</a> ${start}</p>`;
}
