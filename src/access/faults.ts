import { type Action, Fault, type Role } from '../contract/index.ts';
import { UNSTATED_LICENSE } from './licenses.ts';
import { type Membership, permissionsOf } from './membership.ts';
import { permissionFor } from './policy.ts';

/** @param subject the model or data that has the license, such as "models: toto" */
export function licenseDenied(subject: string, name: string | null): Fault {
  const license = JSON.stringify(name ?? UNSTATED_LICENSE);
  return new Fault('LICENSE_DENIED', `${subject} has the license ${license}, which this service does not allow.`);
}

/**
 * Returns the fault for a member of the workspace. It is the same for every resource outside the resource scope, so it
 * does not reveal which resources exist.
 */
export function membershipDenied({ role }: Membership, action: Action): Fault {
  const permission = permissionFor(action);
  const isAllowedFor = (one: Role): boolean => permission !== undefined && permissionsOf(one).includes(permission);
  if (isAllowedFor(role)) {
    return new Fault(
      'WORKSPACE_DENIED',
      'Your resource scope in this workspace does not allow this action. The owner of the workspace can change it.',
    );
  }
  return new Fault(
    'WORKSPACE_DENIED',
    isAllowedFor('editor')
      ? `Your role in this workspace, ${role}, does not allow this action. The owner of the workspace can make you an editor.`
      : `Your role in this workspace, ${role}, does not allow this action. Only the owner of the workspace can do this.`,
  );
}
