export {
  DEMONSTRATION_EMAIL,
  findAccount,
  isLocked,
  LAST_USE_PRECISION_MS,
  lockAccount,
  readPrincipal,
  requireAccount,
} from './accounts/accounts.ts';
export { administerAccount } from './accounts/administer-account.ts';
export type { AccountChange } from './accounts/apply-change.ts';
export { changeAdministrator, changeLock, changePlan } from './accounts/change-account.ts';
export {
  changePassword,
  checkPassword,
  type PasswordChange,
  setPassword,
} from './accounts/change-password.ts';
export { createAccount, type NewAccount } from './accounts/create-account.ts';
export { markVerified, readBouncedAt, recordBounce } from './accounts/email-address.ts';
export { type ListedAccount, listAccounts } from './accounts/list-accounts.ts';
export {
  isOnlyAdministrator,
  lockAdministrators,
  lockForRemoval,
  type RemovedCredentials,
  removeAccount,
} from './accounts/remove-account.ts';
export { type AccountSearch, countAccounts, readAdministered, searchAccounts } from './accounts/search-accounts.ts';
export type { IdentityContext } from './context.ts';
export {
  authenticateExternalToken,
  type ExternalIssuers,
  type ExternalIssuersOptions,
  openExternalIssuers,
} from './issuers/external-issuers.ts';
export { unlinkIdentity } from './issuers/link-identity.ts';
export { authenticateKey, liveCreatorCondition } from './keys/authenticate-key.ts';
export { type ApiKeyRequest, createApiKey, createApiKeyForCaller } from './keys/create-api-key.ts';
export { listApiKeys } from './keys/list-api-keys.ts';
export { revokeApiKey } from './keys/revoke-api-key.ts';
export { createMailRequester, MAIL_QUEUE, type SendMail, startMailWorker } from './links/mail-worker.ts';
export {
  type RedeemRequest,
  redeemReset,
  redeemSignUp,
  redeemVerification,
  type SignUpSession,
} from './links/redeem-links.ts';
export { requestPasswordReset, requestSignUp, requestVerification, type SignUpRequest } from './links/request-links.ts';
export { LOW_MAIL_PRIORITY, MAIL_RETRY_MINUTES, requeueMail } from './links/requeue-mail.ts';
export { type Delivery, sendLink } from './links/send-link.ts';
export { type OpenLink, readLink } from './links/use-link.ts';
export { identityMigrations } from './migrations/index.ts';
export {
  type AccessTokenVerifier,
  authenticateAccessToken,
  openAccessTokens,
  readUserInfo,
} from './oauth/access-tokens.ts';
export {
  type CreatedClient,
  createClient,
  type ListedClient,
  listClients,
  type NewClient,
  removeClient,
} from './oauth/clients.ts';
export { MCP_PATH, OAUTH_ROUTES, OAUTH_SCOPES, resourceUrl } from './oauth/configuration.ts';
export { type ListedGrant, listGrants, revokeGrant, revokeGrants } from './oauth/grants.ts';
export {
  type ErrorPage,
  type InteractionDetails,
  OAUTH_MOUNT,
  type OAuth,
  type OAuthError,
  type OAuthRequest,
  type Resource,
} from './oauth/oauth.ts';
export { type OAuthOptions, openOAuth } from './oauth/open-oauth.ts';
export { removeExpiredOAuth } from './oauth/records.ts';
export { listSigningKeyTimes, rotateSigningKey } from './oauth/signing-keys.ts';
export { refreshPrincipals } from './refresh-principals.ts';
export { oldSecurityEvents, removeExpiredLinks, removeExpiredSessions } from './remove-expired.ts';
export { checkReturnTo, isOwnPath } from './return-to.ts';
export { hashSecret, isWellFormedSecret, newSecret } from './secrets.ts';
export {
  type ListedSecurityEvent,
  listSecurityEvents,
  type NewSecurityEvent,
  type Origin,
  recordSecurityEvent,
  recordSecurityEvents,
} from './security-events.ts';
export {
  authenticateSession,
  isSessionOfLocked,
  SESSION_LIFETIME_MS,
  type StartedSession,
  signIn,
} from './sessions/browser-sessions.ts';
export {
  authenticateGuest,
  createGuest,
  findExpiredGuests,
  findGuest,
  GUEST_LIFETIME_MS,
  removeGuests,
} from './sessions/guest-sessions.ts';
export {
  endOtherSessions,
  endSession,
  endSessionById,
  type ListedSession,
  listSessions,
} from './sessions/manage-sessions.ts';
