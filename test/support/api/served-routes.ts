import type { FastifyInstance } from 'fastify';

/** Returns every route as "METHOD path", without HEAD and OPTIONS, which accompany other methods. */
export function servedRoutes(app: FastifyInstance): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', text = '', methods = ''] = /^([│├└─ ]*)(\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      // Each level of the tree is indented by four characters.
      above.splice(indent.length / 4 - 1, above.length, text);
      const path = above.join('');
      return methods.split(', ').flatMap((method) => (/^(HEAD|OPTIONS|)$/.test(method) ? [] : [`${method} ${path}`]));
    })
    .sort();
}
