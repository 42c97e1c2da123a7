import type { FastifyReply } from 'fastify';
import { type Page, renderDocument } from '../markup/document.ts';
import { STYLE_SOURCE } from '../markup/style.ts';
import type { SeeOther } from './visit.ts';

const PRIVATE = {
  // Not "no-referrer": with it browsers send "Origin: null" from our own forms. Others learn nothing either way.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * A page has its own policy: no script, no picture, no frame, one stylesheet, and forms that lead to us only. Chrome
 * applies the last one to every redirect after a form, too. Where an application gets its answer by such redirects it
 * is left out, because the application may send its user on to yet another address of its own.
 */
export function pageHeaders({ formsMayLeave }: Pick<Page, 'formsMayLeave'> = {}): Record<string, string> {
  const policy = ["default-src 'none'", `style-src ${STYLE_SOURCE}`, "base-uri 'none'", "frame-ancestors 'none'"];
  if (!formsMayLeave) policy.push("form-action 'self'");
  return { ...PRIVATE, 'content-security-policy': policy.join('; ') };
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers(pageHeaders(page))
    .type('text/html; charset=utf-8')
    .send(renderDocument(page));
}

export function sendOn(reply: FastifyReply, { location }: SeeOther): FastifyReply {
  return reply.headers(PRIVATE).redirect(location, 303);
}
