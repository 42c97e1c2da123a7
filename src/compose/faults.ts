import { Fault } from '../contract/index.ts';

export function queueUnavailable(): Fault {
  return new Fault('UNAVAILABLE', 'This process has no job queue. Start the service to run jobs and send emails.');
}

export function sharedWorkspacesOwned(slugs: readonly string[]): Fault {
  const workspaces = slugs.length === 1 ? `the workspace ${slugs[0]}, which has` : `workspaces that have`;
  const list = slugs.length === 1 ? '' : `: ${slugs.join(', ')}`;
  return new Fault(
    'CONFLICT',
    `The account owns ${workspaces} other members${list}. Transfer or delete it first, or remove the members.`,
  );
}

export function accountInUse(): Fault {
  return new Fault('CONFLICT', 'A request of the account ran at the same time. Nothing was removed. Try again.');
}
