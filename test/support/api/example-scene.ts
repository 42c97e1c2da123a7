import type { OperationId } from '../../../src/contract/index.ts';
import { createInlineRunner, createModels, forecast } from '../../../src/engine/index.ts';
import { createBundledProvider } from '../../../src/market/index.ts';
import { queueMailsAfterRun, runPastSession } from '../../../src/screener/index.ts';
import type { ForecastService } from '../forecasts/forecast-service.ts';
import { activateJob, runAttempt } from '../forecasts/run-attempt.ts';
import { makeAccount, PASSWORD, withKey, withSession } from '../identity/callers.ts';
import { makeGrant } from '../identity/make-grant.ts';
import { deliver } from '../notifications/deliver.ts';
import { openRunScene } from '../screener/run-scene.ts';

/** What the examples need besides each other: accounts, and the jobs of a worker. */
export interface ExampleScene {
  /** The variables that no example sets. */
  readonly given: Readonly<Record<string, string>>;
  /** Does what a worker does after a request. */
  work(
    id: OperationId,
    reply: { readonly data?: { readonly forecast_id?: string; readonly id?: string } },
  ): Promise<void>;
}

/** The models of the examples, in this thread: starting the threads of an engine takes longer than their forecasts. */
const runner = createInlineRunner(createModels({}));

/** The last sessions of the bundled bars. */
const BUNDLED_SESSIONS = ['2018-05-10', '2018-05-11'];

/** Creates the accounts of the examples. */
export async function openExampleScene(service: ForecastService): Promise<ExampleScene> {
  const { identity, database } = service;
  const owner = await makeAccount(identity, { email: 'ada@example.org' });
  const member = await makeAccount(identity, { email: 'grace@example.org', password: null });
  const newcomer = await makeAccount(identity, { email: 'new@example.org', password: null, verified: false });
  const administrator = await makeAccount(identity, { email: 'admin@example.org', administrator: true, plan: 'free' });
  await makeGrant(identity, owner.id);
  const keyOf = async ({ id }: { id: string }) => (await withKey(identity, id)).authorization.replace('Bearer ', '');
  const { cookie = '' } = await withSession(identity, administrator.email);
  return {
    given: {
      key: await keyOf(owner),
      email: owner.email,
      password: PASSWORD,
      new_password: 'another horse battery',
      member_key: await keyOf(member),
      member_email: member.email,
      newcomer_key: await keyOf(newcomer),
      administrator_session: cookie.slice(cookie.indexOf('=') + 1),
    },
    async work(id, { data }) {
      if (id === 'createForecast') {
        const job = await activateJob(database, data?.forecast_id ?? '');
        await runAttempt(service, job, (request, options) => forecast(request, { ...options, runner }));
      }
      if (id === 'testWebhook' || id === 'testWorkspaceWebhook') await deliver(service, data?.id ?? '');
      if (id === 'createScreenerAlert') {
        const queueMails = queueMailsAfterRun(service.queue, { clock: identity.clock, perDay: 100 });
        const { context, setTime } = openRunScene(service, [createBundledProvider()], queueMails);
        setTime(identity.clock.now().toISOString());
        for (const session of BUNDLED_SESSIONS) await runPastSession(context, session);
      }
    },
  };
}
