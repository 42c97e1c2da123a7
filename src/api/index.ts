export { buildApp } from './app.ts';
export { sessionSecretOf } from './edge/cookies.ts';
export { apiMigrations, createRateLimiter, type RateLimiter, removeOldWindows } from './limits/index.ts';
export { oauthErrorPage } from './pages/account/oauth-error-page.ts';
export type { ApiParts } from './parts.ts';
