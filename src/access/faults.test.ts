import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Role } from '../contract/index.ts';
import { membershipDenied } from './faults.ts';
import { WHOLE_SCOPE } from './membership.ts';

test('the message names the role that allows the action, or states that the resource scope does not', () => {
  const message = (role: Role, action: Action): string =>
    membershipDenied({ role, csv: WHOLE_SCOPE, forecasts: WHOLE_SCOPE }, action).message;
  assert.match(message('viewer', 'csv.write'), /Your role in this workspace, viewer, .* can make you an editor\.$/);
  assert.match(message('viewer', 'members.manage'), /viewer, does not allow this action\. Only the owner/);
  assert.match(message('editor', 'workspace.transfer'), /editor, does not allow this action\. Only the owner/);
  assert.match(message('editor', 'csv.read'), /^Your resource scope in this workspace does not allow/);
});
