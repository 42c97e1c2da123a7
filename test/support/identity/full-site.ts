import { buildApi, createFoundation, MIGRATIONS, startWorker } from '../../../src/compose/index.ts';
import type { IdentityContext } from '../../../src/identity/index.ts';
import { createLog } from '../../../src/platform/index.ts';
import { listenOnLoopback } from '../api/http.ts';
import { startTlsProxy, type TlsProxy } from '../api/loopback-tls.ts';
import { EMPTY_FOLDER } from '../forecasts/forecast-service.ts';
import { openTestDatabase, testedKind } from '../platform/database.ts';
import { type MailServer, startMailServer } from '../platform/mail-server.ts';
import { loadTestConfig } from '../platform/test-config.ts';
import { makeAccount } from './callers.ts';

/** The whole service: the API and its pages on a port, a worker, and a mail server that receives its emails. */
export interface FullSite extends AsyncDisposable {
  readonly url: string;
  readonly identity: IdentityContext;
  readonly mail: MailServer;
  /** Creates an account with a password. */
  account(spec?: Parameters<typeof makeAccount>[1]): ReturnType<typeof makeAccount>;
}

const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

/**
 * Opens the service.
 *
 * @param options.tls behind a proxy that terminates TLS, as required except on loopback
 * @param options.hasNetworks whether X-Forwarded-For names the network of a visitor, for tests with more new guests than
 * one network may have
 */
export async function openFullSite({ tls = false, hasNetworks = false } = {}): Promise<FullSite> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await openTestDatabase(testedKind, { migrations: MIGRATIONS, queue: true }));
  const mail = opened.use(await startMailServer());
  let port = 0;
  const proxy: TlsProxy | null = tls ? opened.use(await startTlsProxy(() => port)) : null;
  const config = loadTestConfig({
    NODE_ENV: 'test',
    ALMANAC_DATA: EMPTY_FOLDER,
    ALMANAC_SMTP_URL: mail.url(),
    ALMANAC_MAIL_FROM: 'Almanac <almanac@mail.example>',
    // The receivers of webhooks are on this machine.
    ALMANAC_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...UNLIMITED,
    ...(hasNetworks && { ALMANAC_TRUSTED_PROXIES: 'loopback' }),
    ...(proxy && { HOST: '0.0.0.0', SITE_URL: proxy.url, ALMANAC_TRUSTED_PROXIES: 'loopback' }),
  });
  const log = createLog('silent');
  const foundation = createFoundation({ config, log, database });
  const { identity } = foundation;
  let url = proxy?.url ?? '';
  const siteUrl = () => url;
  const worker = await startWorker(foundation, { siteUrl });
  opened.defer(() => worker.stop({ timeoutMs: 1_000 }));
  const app = await buildApi(foundation, { siteUrl, queue: worker.queue });
  opened.defer(() => app.close());
  port = await listenOnLoopback(app);
  url ||= `http://127.0.0.1:${port}`;
  const kept = opened.move();
  return {
    url,
    identity,
    mail,
    account: (spec) => makeAccount(identity, spec),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
