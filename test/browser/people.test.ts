import { after, before } from 'node:test';
import { noBrowser } from '../support/api/browser.ts';
import { type FullSite, openFullSite } from '../support/identity/full-site.ts';
import { testAccount } from './account.ts';
import { testBehindTls } from './behind-tls.ts';
import { testGettingIn } from './getting-in.ts';
import { testGuestSave } from './guest-save.ts';
import { testInvitation } from './invitation.ts';

// All tests share one browser, and all but one share one service, because starting them takes longer than most tests.
let site: FullSite;
before(async () => {
  if (noBrowser === false) site = await openFullSite();
});
after(() => site?.[Symbol.asyncDispose]());

testGettingIn(() => site);
testAccount(() => site);
testGuestSave(() => site);
testInvitation(() => site);
testBehindTls();
