import type { FastifyReply } from 'fastify';
import type { Operation } from '../../contract/index.ts';

const PAGE = '/docs';

/** Announces the removal of an operation in every response, also in errors (RFC 9745 and RFC 8594). */
export function announceDeprecation({ deprecated }: Operation, reply: FastifyReply): void {
  if (deprecated === undefined) return;
  reply.headers({
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    link: `<${PAGE}>; rel="deprecation"; type="text/html"`,
  });
}
