import { after, afterEach, before, describe } from 'node:test';
import { closeVisitors, noBrowser } from '../support/api/browser.ts';
import { type FullSite, openFullSite } from '../support/identity/full-site.ts';
import { type OAuthApplication, startApplication } from '../support/identity/oauth-application.ts';
import { testAccessibility } from './accessibility.ts';
import { testApplications } from './applications.ts';
import { testBehindTls } from './behind-tls.ts';
import { testConsole } from './console/console.ts';
import { testGettingIn } from './getting-in.ts';
import { testGuestSave } from './guest-save.ts';
import { testInvitation } from './invitation.ts';
import { testPublicPages } from './public-pages.ts';
import { testVerify } from './verify.ts';

// All tests share one browser, and all but one share one service, because starting them takes longer than most tests.
afterEach((test) => closeVisitors('passed' in test && test.passed === true));

// This test comes first, so that the next service can use its database afterward.
testBehindTls();

// In this file, because the browser ends with the file that started it.
testConsole();

describe('account pages', () => {
  let site: FullSite;
  let application: OAuthApplication;
  before(async () => {
    if (noBrowser !== false) return;
    site = await openFullSite();
    application = await startApplication(site.identity, site.url);
  });
  after(async () => {
    await application?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  testGettingIn(() => site);
  testGuestSave(() => site);
  testInvitation(() => site);
  testVerify(() => site);
  testPublicPages(() => site);
  testApplications(() => ({ site, application }));
  testAccessibility(() => ({ site, application }));
});
