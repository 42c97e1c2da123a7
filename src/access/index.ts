export { licenseDenied, membershipDenied } from './faults.ts';
export { ALL_LICENSES, type Licenses, licensesWithout, UNSTATED_LICENSE } from './licenses.ts';
export {
  capabilitiesOf,
  hasPermission,
  type Membership,
  permissionsOf,
  type ResourceScope,
  WHOLE_SCOPE,
} from './membership.ts';
export { type Decision, type Denial, decide, decideCaller, type WorkspaceResource } from './policy.ts';
export {
  type Account,
  ANONYMOUS,
  type Anonymous,
  accountIdOf,
  type Credential,
  canUseApi,
  type Guest,
  isAdministrator,
  type Principal,
} from './principal.ts';
