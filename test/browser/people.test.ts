import { after, before } from 'node:test';
import { noBrowser } from '../support/api/browser.ts';
import { type FullSite, openFullSite } from '../support/identity/full-site.ts';
import { testAccount } from './account.ts';
import { testGettingIn } from './getting-in.ts';
import { testGuestSave } from './guest-save.ts';
import { testInvitation } from './invitation.ts';

// One service and one browser for all of it: starting them takes longer than most of what is tested.
let site: FullSite;
before(async () => {
  if (noBrowser === false) site = await openFullSite();
});
after(() => site?.[Symbol.asyncDispose]());

testGettingIn(() => site);
testAccount(() => site);
testGuestSave(() => site);
testInvitation(() => site);
