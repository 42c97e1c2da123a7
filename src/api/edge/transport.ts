import type { FastifyInstance } from 'fastify';
import { Fault } from '../../contract/index.ts';
import type { Config } from '../../platform/index.ts';

/**
 * Beyond loopback every request must have come through the proxy that ends TLS. Health checks come from the machine's
 * own keeper and carry no credential.
 */
export function refusePlainHttp(app: FastifyInstance, config: Config): void {
  if (config.loopback) return;
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !request.url.startsWith('/health/')) {
      throw new Fault('INVALID_REQUEST', `Plain HTTP is not served here. Use ${config.siteUrl}.`);
    }
  });
}
