import { boundedGet, type Config, probeMailServer } from '../../platform/index.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Shorter than the limit of a check, so that the finding names the server. */
const NETWORK_MS = 4_000;

/** Connects to the mail server and signs in. Sends no email. */
export async function checkMail({ mail, loopback }: Pick<Config, 'mail' | 'loopback'>): Promise<Finding> {
  if (mail === undefined) {
    const message = 'No mail server is set; emails are written to the log.';
    if (loopback) return ok('mail', message);
    return warning('mail', message, 'Set ALMANAC_SMTP_URL and ALMANAC_MAIL_FROM, so that people can sign up.');
  }
  const { host, port, user } = mail.server;
  const server = `The mail server ${host}:${port}`;
  try {
    const { hasSignedIn } = await probeMailServer(mail.server, NETWORK_MS);
    if (user !== undefined && !hasSignedIn) {
      const step = 'Remove the user and the password from ALMANAC_SMTP_URL, or use a port that offers a sign-in.';
      return warning('mail', `${server} replies, but offers no sign-in; emails are sent without one.`, step);
    }
    return ok('mail', `${server} replies${hasSignedIn ? ' and accepts the user and the password' : ''}.`);
  } catch (error) {
    const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
    const details = responseCode === undefined ? code : `${code}, ${responseCode}`;
    if (code === 'EAUTH') {
      return problem('mail', `${server} refuses the user or the password (${details}).`, 'Correct ALMANAC_SMTP_URL.');
    }
    const step = 'Start it, correct ALMANAC_SMTP_URL, or allow the connection in the firewall.';
    return problem('mail', `${server} cannot be used (${details}).`, step);
  }
}

/** The date of a reply has whole seconds. */
const CLOCK_WARNING_MS = 5_000;
const CLOCK_PROBLEM_MS = 60_000;

/** Sends a request to the service's public address, which compares the clock of its proxy as well. */
export async function checkAddress({ siteUrl }: Pick<Config, 'siteUrl'>): Promise<Finding[]> {
  if (siteUrl === undefined) return [];
  try {
    const url = `${siteUrl}/health/live`;
    const bounds = { namedBy: 'operator', timeoutMs: NETWORK_MS, maxBytes: 64 * 1024, acceptsAnyReply: true } as const;
    const { status, headers } = await boundedGet(url, bounds);
    const step = 'Start the service, or correct SITE_URL or the proxy.';
    const date = Date.parse(headers.get('date') ?? '');
    return [
      status === 200
        ? ok('address', `${siteUrl} reaches a service.`)
        : warning('address', `${url} responds with the status ${status}.`, step),
      ...(Number.isNaN(date) ? [] : describeDate(siteUrl, date - Date.now())),
    ];
  } catch {
    const step = 'Start the service and its proxy, or correct SITE_URL or the name server.';
    return [warning('address', `${siteUrl} cannot be reached from this machine.`, step)];
  }
}

function describeDate(siteUrl: string, aheadMs: number): Finding[] {
  const ms = Math.abs(aheadMs);
  if (ms < CLOCK_WARNING_MS) return [];
  const message = `The clock of ${siteUrl} is ${Math.round(ms / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const step = 'Set both by NTP, for example with timedatectl set-ntp true.';
  return [(ms < CLOCK_PROBLEM_MS ? warning : problem)('clock', message, step)];
}
