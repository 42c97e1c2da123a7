export { removeOldWindows, WINDOW_SECONDS } from './lease-store.ts';
export { limitsOf } from './limit-of.ts';
export { type Limited, limitGuesses, limitPerNetwork } from './limit-per-network.ts';
export { apiMigrations } from './migrations/index.ts';
export { networkOf } from './network-of.ts';
export { originOf } from './origin-of.ts';
export { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
