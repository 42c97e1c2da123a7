export { removeOldWindows, WINDOW_SECONDS } from './lease-store.ts';
export { limitsOf } from './limit-of.ts';
export { apiMigrations } from './migrations/index.ts';
export { networkOf } from './network-of.ts';
export { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
