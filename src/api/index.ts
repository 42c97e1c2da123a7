export { buildApp } from './app.ts';
export { sessionSecretOf } from './edge/cookies.ts';
export { removeOldWindows } from './limits/lease-store.ts';
export { apiMigrations } from './limits/migrations/index.ts';
export { createRateLimiter, type RateLimiter } from './limits/rate-limiter.ts';
export { oauthErrorPage } from './pages/account/oauth-error-page.ts';
export type { ApiParts } from './parts.ts';
