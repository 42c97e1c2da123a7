export { openCursor, sealCursor } from './cursor.ts';
export { signingMigrations } from './migrations/index.ts';
export { readSigningKey } from './signing-key.ts';
