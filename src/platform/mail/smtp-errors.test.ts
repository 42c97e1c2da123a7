import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnknownMailbox, isUnknownMailboxCode } from './smtp-errors.ts';

/** Replies of real servers. */
const UNKNOWN_MAILBOX = [
  '550 5.1.1 <a@example.org>: Recipient address rejected: User unknown in virtual mailbox table',
  '550 5.1.1 <a@example.org>: Recipient address rejected: User unknown in relay recipient table',
  '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the address\n550 5.1.1 https://support.example/?p=NoSuchUser',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '556 5.1.10 the domain accepts no email',
  '550 5.1.2 <a@example.org>: Recipient address rejected: Domain not found',
  '553 5.1.3 <a@example.org>: bad address syntax',
  '551 5.1.6 moved',
  '550 5.2.1 The email account that you tried to reach is disabled',
  '550 #5.1.1 no',
  '553 sorry, (#5.1.1)',
  '550 No such user here',
  '550 NO SUCH MAILBOX',
  '550 Unknown user',
  '550 <spam@blocked.example>: Recipient address rejected: User unknown in local recipient table',
  '550 User unknown in relay recipient table',
  '550 Requested action not taken: mailbox unavailable',
  '550 Mailbox not found',
  '550 Invalid recipient',
  '550 the account does not exist',
  '554 delivery error: dd This user doesn’t have a yahoo.com account',
  '553 sorry, no mailbox here by that name',
];

const OTHER_REFUSALS = [
  '550 5.1.7 bad sender',
  '550 5.1.8 Sender address rejected: domain not found',
  '550 5.1.0 Address rejected',
  '550 5.2.2 full',
  '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
  '550 5.4.1 Recipient address rejected: Access denied',
  '550 5.7.1 Relaying denied: no such user',
  '550 5.7.1 blocked',
  '550 4.1.1 no such user',
  '550 5.1.11 whatever',
  '550 5.5.0 mailbox unavailable',
  '550 no',
  '550 relay not permitted',
  '550 Message rejected as spam',
  '550 Blocked - see https://list.example/no-such-user',
  '550 <no.such.user@does-not-exist.example> rejected',
  '550 sender domain does not exist',
  '550 we take no email from you: your host does not exist',
  '550 mailbox unavailable: rejected by local policy',
  '550 unknown user, or access denied',
  '552 mailbox full',
  '553 sorry',
  '571 delivery not authorized',
  '554 no',
  '550 ',
  '',
];

test('distinguishes a missing mailbox from other refusals', () => {
  for (const response of UNKNOWN_MAILBOX) assert.equal(isUnknownMailbox(response), true, response);
  for (const response of OTHER_REFUSALS) assert.equal(isUnknownMailbox(response), false, response);
});

test('uses only the code if the text may not be about the mailbox', () => {
  for (const response of OTHER_REFUSALS) assert.equal(isUnknownMailboxCode(response), false, response);
  assert.equal(isUnknownMailboxCode('550 5.1.1 no'), true);
  assert.equal(isUnknownMailboxCode('550 No such user here'), false);
});
