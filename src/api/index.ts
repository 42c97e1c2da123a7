export { buildApp } from './app.ts';
export { apiMigrations, createRateLimiter, type RateLimiter, removeOldWindows } from './limits/index.ts';
export type { ApiParts } from './parts.ts';
