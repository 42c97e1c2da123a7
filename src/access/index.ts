export { EVERY_LICENSE, type Licenses, licenseDenied, licensesWithout, UNSTATED_LICENSE } from './licenses.ts';
export {
  allows,
  capabilitiesOf,
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
  type Credential,
  type Guest,
  isAdministrator,
  mayUseApi,
  type Principal,
} from './principal.ts';
