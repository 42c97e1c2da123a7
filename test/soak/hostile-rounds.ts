import { hostileBodies } from '../support/api/hostile-bodies.ts';
import { startService } from '../support/cli/service.ts';
import type { Tally } from './kill-rounds.ts';

const AT_A_TIME = 3;

/** Sends hostile bodies of 2 MB to the service for many rounds, and checks that each is refused and small reads go on. */
export async function runHostileRounds(rounds: number): Promise<Tally> {
  await using service = await startService({
    environment: { ALMANAC_RATE_GUEST: '1000000', ALMANAC_LOG_LEVEL: 'warn' },
  });
  const opened = await fetch(`${service.url}/api/v1/guest-sessions`, { method: 'POST' });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  let [passed, failed] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    for (const { name, path, body, statuses } of hostileBodies()) {
      const headers = { 'content-type': 'application/json', cookie };
      const send = () => fetch(`${service.url}/api${path}`, { method: 'POST', headers, body });
      const responses = await Promise.all(Array.from({ length: AT_A_TIME }, send));
      for (const response of responses) await response.arrayBuffer();
      const isLive = (await service.fetch('/health/live')).status === 200;
      const isRefused = responses.every(({ status }) => statuses.includes(status));
      if (isRefused && isLive) passed++;
      else {
        failed++;
        console.log(`${name}: ${responses.map(({ status }) => status).join(' ')}`);
      }
    }
  }
  return { passed, failed };
}
