export { buildApp } from './app.ts';
export { readSessionCookie } from './edge/cookies.ts';
export { removeOldWindows } from './limits/lease-store.ts';
export { apiMigrations } from './limits/migrations/index.ts';
export { createRateLimiter, type RateLimiter } from './limits/rate-limiter.ts';
export { type RequestUsage, readRequestUsage } from './limits/request-usage.ts';
export { oauthErrorPage } from './pages/account/message-pages.ts';
export type { ApiParts } from './parts.ts';
