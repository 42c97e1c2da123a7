import type { FastifyRequest } from 'fastify';
import { BASE_PATH, pathOf } from './paths.ts';

/** Below these paths programs expect the JSON errors of a protocol, whatever they accept. */
const FOR_PROGRAMS = [BASE_PATH, '/auth/oauth'];

/**
 * Returns whether the error of a request is best sent as a page: the path is not one for programs, and the client names
 * HTML in its Accept header, as browsers do when they open an address.
 */
export function acceptsPage({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  const path = pathOf(url);
  if (FOR_PROGRAMS.some((program) => path === program || path.startsWith(`${program}/`))) return false;
  return (headers.accept ?? '').split(',').some(isHtml);
}

function isHtml(range: string): boolean {
  const [type = '', ...parameters] = range.toLowerCase().split(';');
  return type.trim() === 'text/html' && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
}
